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

/** The current state of the database. */
export interface DatabaseState {
  isFull: boolean
  isDown: boolean
  losesAnswers: boolean
  isFrozenUntil: number
  isSlow: boolean
  /** Counters that another session has locked. */
  readonly held: Set<string>
  /** The probability that a statement fails on its own. */
  faultRate: number
  /** Numbers of the calls whose events the database rejects. */
  readonly poisoned: ReadonlySet<number>
}

/** What happens to a statement. Times are milliseconds from when it is sent. */
type Outcome =
  /** It is executed, and its answer arrives. */
  | { readonly kind: 'answered'; readonly runsAfter: number; readonly afterMs: number }
  /** Nothing is written, and the error says so. */
  | { readonly kind: 'refused'; readonly error: Error; readonly afterMs: number }
  /** The connection ends. The statement was executed before, is executed later, or never. */
  | { readonly kind: 'lost'; readonly runsAfter: number | undefined; readonly afterMs: number }
  /** No answer ever arrives, whether or not it is executed. */
  | { readonly kind: 'silent'; readonly runsAfter: number | undefined }

interface Connection {
  readonly scheduler: Scheduler
  readonly state: DatabaseState
  readonly random: Random
  /** The process that uses the connection. */
  readonly owner: Owner
  readonly concurrency: number
  readonly note: (what: string) => void
  /** Called with the answer of each commit, at the time of the commit. */
  readonly onCommit: (batch: LedgerBatch, answer: BatchAnswer) => void
}

/**
 * The connection of a process to the database, with all possible faults. Statements are executed by the real driver.
 */
export class FaultyDriver implements LedgerDriver {
  readonly concurrency: number
  readonly #real: LedgerDriver
  readonly #connection: Connection

  constructor(real: LedgerDriver, connection: Connection) {
    this.concurrency = connection.concurrency
    this.#real = real
    this.#connection = connection
  }

  write(batch: LedgerBatch): Promise<BatchAnswer> {
    const { note, state, onCommit } = this.#connection
    const run = async (): Promise<BatchAnswer> => {
      const answer = await this.#real.write(batch)
      onCommit(batch, answer)
      return answer
    }
    const isPoisoned = batch.charges.some(({ rows }) => state.poisoned.has(rows))
    if (isPoisoned) return this.#send('write', { kind: 'refused', error: new BadEntry('a bad value'), afterMs: 1 }, run)
    const isHeld = [...batch.months, ...batch.days].some(({ counter }) => state.held.has(counter))
    const isHeldBack = isHeld || batch.refunds.some(({ accountId }) => state.held.has(accountId))
    if (isHeldBack) return this.#send('write', { kind: 'refused', error: new Contended('held'), afterMs: 1_000 }, run)
    note(`sends ${contentsOf(batch)}`)
    return this.#send('write', this.#outcome(), run)
  }

  settle(batch: Pick<LedgerBatch, 'id' | 'at'>): Promise<BatchAnswer | 'never'> {
    return this.#send('settle', this.#outcome(), () => this.#real.settle(batch))
  }

  /** The real driver limits the time of look-ups, so they fail instead of falling silent. */
  findHolder(find: () => Promise<KeyHolder | undefined>): Promise<KeyHolder | undefined> {
    const { state, random } = this.#connection
    const fails = state.isDown || this.#isFrozen || random.chance(state.faultRate / 4)
    const afterMs = this.#isFrozen ? 5_000 : random.between(0, 2)
    if (fails) return this.#send('look-up', { kind: 'refused', error: new Error('look-up failed'), afterMs }, find)
    return this.#send('look-up', { kind: 'answered', runsAfter: 0, afterMs }, find)
  }

  get #isFrozen(): boolean {
    return this.#connection.state.isFrozenUntil > this.#connection.scheduler.now
  }

  #outcome(): Outcome {
    const { state, random, scheduler } = this.#connection
    const runsAfter = state.isSlow ? random.between(200, 4_000) : random.between(0, 4)
    const afterMs = runsAfter + random.between(0, 2)
    if (this.#isFrozen) {
      // Statements sent while it is frozen are executed when it thaws, or never.
      const thaw = state.isFrozenUntil - scheduler.now
      return { kind: 'silent', runsAfter: random.chance(0.5) ? thaw + runsAfter : undefined }
    }
    if (state.isDown) {
      return random.chance(0.7)
        ? { kind: 'refused', error: new Error('no connection'), afterMs: 1 }
        : { kind: 'lost', runsAfter: undefined, afterMs: 1 }
    }
    if (state.isFull) return { kind: 'refused', error: new Error('the disk is full'), afterMs }
    if (state.losesAnswers && random.chance(0.8)) return this.#lost(runsAfter)
    return random.chance(state.faultRate)
      ? this.#anyFault(runsAfter, afterMs)
      : { kind: 'answered', runsAfter, afterMs }
  }

  #anyFault(runsAfter: number, afterMs: number): Outcome {
    const { random } = this.#connection
    return random.pick<() => Outcome>([
      () => ({ kind: 'refused', error: new Error('it failed'), afterMs }),
      () => this.#lost(runsAfter),
      () => ({ kind: 'answered', runsAfter: random.between(100, 9_000), afterMs: 9_000 }),
      () => ({ kind: 'silent', runsAfter: random.chance(0.5) ? runsAfter : undefined }),
    ])()
  }

  #lost(runsAfter: number): Outcome {
    const { random } = this.#connection
    const runs = random.pick(['before', 'later', 'never'])
    if (runs === 'never') return { kind: 'lost', runsAfter: undefined, afterMs: runsAfter }
    if (runs === 'before') return { kind: 'lost', runsAfter, afterMs: runsAfter + 1 }
    return { kind: 'lost', runsAfter: runsAfter + random.between(1, 200), afterMs: runsAfter }
  }

  #send<Answer>(what: string, outcome: Outcome, run: () => Promise<Answer>): Promise<Answer> {
    const { scheduler, owner, note } = this.#connection
    return new Promise((resolve, reject) => {
      let finish: (() => void) | undefined
      const runsAfter = outcome.kind === 'refused' ? undefined : outcome.runsAfter
      if (runsAfter !== undefined) {
        // Without an owner: a sent statement is executed even if the process that sent it is killed.
        scheduler.after(runsAfter, async () => {
          finish = await run().then(
            (answer) => () => resolve(answer),
            (error: unknown) => () => reject(error),
          )
        })
      }
      if (outcome.kind === 'silent') {
        note(`${what} falls silent, ${runsAfter === undefined ? 'does not run' : 'runs'}`)
        return
      }
      if (outcome.kind !== 'answered')
        note(`${what} is ${outcome.kind}${outcome.kind === 'refused' ? `: ${outcome.error.message}` : ''}`)
      scheduler.after(
        outcome.afterMs,
        () => {
          if (outcome.kind === 'refused') reject(outcome.error)
          else if (outcome.kind === 'lost') reject(new AnswerLost('the connection is gone'))
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
