import {
  AnswerLost,
  BadEntry,
  type BatchAnswer,
  Contended,
  type LedgerBatch,
  type LedgerDriver,
} from '../../packages/service/src/store/ledger-driver.ts'
import type { KeyHolder } from '../../packages/service/src/store/store.ts'
import type { Random } from './random.ts'
import type { Owner, Scheduler } from './scheduler.ts'

/** How the database is at this moment. */
export interface Weather {
  isFull: boolean
  isDown: boolean
  losesAnswers: boolean
  isFrozenUntil: number
  isSlow: boolean
  /** Counters that another session holds. */
  readonly held: Set<string>
  /** How often a statement meets a fault of its own. */
  faultRate: number
  /** Calls whose events the database will not take, by their numbers. */
  readonly poisoned: ReadonlySet<number>
}

/** What becomes of one statement. Times are milliseconds from when it is sent. */
type Fate =
  /** It runs, and its answer arrives. */
  | { readonly kind: 'answered'; readonly runsAfter: number; readonly afterMs: number }
  /** Nothing is written, and the error says so. */
  | { readonly kind: 'refused'; readonly error: Error; readonly afterMs: number }
  /** The connection ends. The statement ran before, runs later, or never. */
  | { readonly kind: 'lost'; readonly runsAfter: number | undefined; readonly afterMs: number }
  /** Nobody ever hears of it, whether or not it runs. */
  | { readonly kind: 'silent'; readonly runsAfter: number | undefined }

interface Line {
  readonly scheduler: Scheduler
  readonly weather: Weather
  readonly random: Random
  /** The process at the near end. */
  readonly owner: Owner
  readonly concurrency: number
  readonly note: (what: string) => void
  /** Hears what each commit answered, at the moment of the commit. */
  readonly onCommit: (batch: LedgerBatch, answer: BatchAnswer) => void
}

/** The line from one process to the database, on which everything goes wrong that can. What runs is the real driver. */
export class FaultyDriver implements LedgerDriver {
  readonly concurrency: number
  readonly #real: LedgerDriver
  readonly #line: Line

  constructor(real: LedgerDriver, line: Line) {
    this.concurrency = line.concurrency
    this.#real = real
    this.#line = line
  }

  write(batch: LedgerBatch): Promise<BatchAnswer> {
    const { note, weather, onCommit } = this.#line
    const run = async (): Promise<BatchAnswer> => {
      const answer = await this.#real.write(batch)
      onCommit(batch, answer)
      return answer
    }
    const isPoisoned = batch.charges.some(({ rows }) => weather.poisoned.has(rows))
    if (isPoisoned) return this.#send('write', { kind: 'refused', error: new BadEntry('a bad value'), afterMs: 1 }, run)
    const isHeld = [...batch.months, ...batch.days].some(({ counter }) => weather.held.has(counter))
    const isHeldBack = isHeld || batch.refunds.some(({ accountId }) => weather.held.has(accountId))
    if (isHeldBack) return this.#send('write', { kind: 'refused', error: new Contended('held'), afterMs: 1_000 }, run)
    note(`sends ${contentsOf(batch)}`)
    return this.#send('write', this.#fate(), run)
  }

  settle(batch: Pick<LedgerBatch, 'id' | 'at'>): Promise<BatchAnswer | 'never'> {
    return this.#send('settle', this.#fate(), () => this.#real.settle(batch))
  }

  /** Look-ups are bounded by the real driver: they fail, and never fall silent. */
  findHolder(find: () => Promise<KeyHolder | undefined>): Promise<KeyHolder | undefined> {
    const { weather, random } = this.#line
    const fails = weather.isDown || this.#isFrozen || random.chance(weather.faultRate / 4)
    const afterMs = this.#isFrozen ? 5_000 : random.between(0, 2)
    if (fails) return this.#send('look-up', { kind: 'refused', error: new Error('look-up failed'), afterMs }, find)
    return this.#send('look-up', { kind: 'answered', runsAfter: 0, afterMs }, find)
  }

  get #isFrozen(): boolean {
    return this.#line.weather.isFrozenUntil > this.#line.scheduler.now
  }

  #fate(): Fate {
    const { weather, random, scheduler } = this.#line
    const runsAfter = weather.isSlow ? random.between(200, 4_000) : random.between(0, 4)
    const afterMs = runsAfter + random.between(0, 2)
    if (this.#isFrozen) {
      // What was sent into the silence runs when it ends, or never.
      const thaw = weather.isFrozenUntil - scheduler.now
      return { kind: 'silent', runsAfter: random.chance(0.5) ? thaw + runsAfter : undefined }
    }
    if (weather.isDown) {
      return random.chance(0.7)
        ? { kind: 'refused', error: new Error('no connection'), afterMs: 1 }
        : { kind: 'lost', runsAfter: undefined, afterMs: 1 }
    }
    if (weather.isFull) return { kind: 'refused', error: new Error('the disk is full'), afterMs }
    if (weather.losesAnswers && random.chance(0.8)) return this.#lost(runsAfter)
    return random.chance(weather.faultRate)
      ? this.#anyFault(runsAfter, afterMs)
      : { kind: 'answered', runsAfter, afterMs }
  }

  #anyFault(runsAfter: number, afterMs: number): Fate {
    const { random } = this.#line
    return random.pick<() => Fate>([
      () => ({ kind: 'refused', error: new Error('it failed'), afterMs }),
      () => this.#lost(runsAfter),
      () => ({ kind: 'answered', runsAfter: random.between(100, 9_000), afterMs: 9_000 }),
      () => ({ kind: 'silent', runsAfter: random.chance(0.5) ? runsAfter : undefined }),
    ])()
  }

  #lost(runsAfter: number): Fate {
    const { random } = this.#line
    const runs = random.pick(['before', 'later', 'never'])
    if (runs === 'never') return { kind: 'lost', runsAfter: undefined, afterMs: runsAfter }
    if (runs === 'before') return { kind: 'lost', runsAfter, afterMs: runsAfter + 1 }
    return { kind: 'lost', runsAfter: runsAfter + random.between(1, 200), afterMs: runsAfter }
  }

  #send<Answer>(what: string, fate: Fate, run: () => Promise<Answer>): Promise<Answer> {
    const { scheduler, owner, note } = this.#line
    return new Promise((resolve, reject) => {
      let finish: (() => void) | undefined
      const runsAfter = fate.kind === 'refused' ? undefined : fate.runsAfter
      if (runsAfter !== undefined) {
        // Nobody owns it: what was sent runs, whatever becomes of the process that sent it.
        scheduler.after(runsAfter, async () => {
          finish = await run().then(
            (answer) => () => resolve(answer),
            (error: unknown) => () => reject(error),
          )
        })
      }
      if (fate.kind === 'silent') {
        note(`${what} falls silent, ${runsAfter === undefined ? 'does not run' : 'runs'}`)
        return
      }
      if (fate.kind !== 'answered')
        note(`${what} is ${fate.kind}${fate.kind === 'refused' ? `: ${fate.error.message}` : ''}`)
      scheduler.after(
        fate.afterMs,
        () => {
          if (fate.kind === 'refused') reject(fate.error)
          else if (fate.kind === 'lost') reject(new AnswerLost('the connection is gone'))
          else finish?.()
        },
        owner,
      )
    })
  }
}

function contentsOf({ id, charges, days, completions, refunds, dayRefunds, refusals }: LedgerBatch): string {
  const numbers = charges.map(({ rows }) => rows).join(' ')
  const counts = { days, completions, refunds, dayRefunds, refusals }
  const others = Object.entries(counts).flatMap(([name, { length }]) => (length === 0 ? [] : [`${length} ${name}`]))
  return `batch ${id}: charges [${numbers}] ${others.join(', ')}`
}
