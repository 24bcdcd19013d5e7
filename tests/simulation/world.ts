/*
 * A deterministic simulation of the ledger, like those of FoundationDB and TigerBeetle (VOPR).
 *
 * A seed determines a world, which is the same every time:
 *
 *   scenario.ts        what the seed determines in advance: processes, accounts, calls, and which faults occur when
 *   scheduler.ts       virtual time: hours pass in milliseconds, and nothing is left to chance
 *   server-process.ts  a process of the service: the real pipeline, store, ledger, batching, pending file
 *   callers.ts         callers, which may disconnect at any step
 *   databases.ts       the database that the processes share: real SQL on SQLite in memory, or on PostgreSQL
 *   faulty-driver.ts   the connection in between: statements fail, are late, are executed without an answer, or hang
 *   rules.ts           what has to hold afterwards, whatever happened
 *   planted-faults.ts  faults that are planted on purpose, each of which has to be found
 *
 * Only clocks, randomness, the ends of the network and the driver's failures are simulated. A world has three phases:
 * calls and incidents; then quiet, in which everything pending has to be written; then the database and all replies are
 * checked against the rules.
 *
 * SEED=123 npx vitest run tests/simulation      replays one world and prints everything that happened in it
 */

import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PLANS } from '@keepfirst/protocol'
import { createStore } from '../../packages/service/src/store/create-store.ts'
import type { Database } from '../../packages/service/src/store/database.ts'
import type { BatchAnswer, LedgerBatch } from '../../packages/service/src/store/ledger-driver.ts'
import type { Key, Store } from '../../packages/service/src/store/store.ts'
import { SimulatedCall } from './callers.ts'
import { empty, inMemory } from './databases.ts'
import { type DatabaseState, FaultyDriver } from './faulty-driver.ts'
import type { Plant } from './planted-faults.ts'
import { Random } from './random.ts'
import { balanceViolations, violationsOf } from './rules.ts'
import { type CallPlan, type Incident, type Scenario, scenarioOf } from './scenario.ts'
import { type Owner, ProcessClock, Scheduler } from './scheduler.ts'
import { ServerProcess } from './server-process.ts'

/** Everything has to be written within this time after the last incident. */
const QUIET_MS = 60_000

export interface SimulationOptions {
  /** The database that the worlds use, one after another; by default SQLite in memory. */
  readonly database?: Database
  readonly plant?: Plant
}

export interface Simulated {
  readonly seed: number
  /** Everything that happened, one line each. */
  readonly trace: readonly string[]
  /** Descriptions of all violations of the rules. */
  readonly violations: readonly string[]
}

/** Where stopped processes save what they could not write. */
const FOLDER = mkdtempSync(join(tmpdir(), 'keepfirst-simulation-'))
process.once('exit', () => rmSync(FOLDER, { recursive: true }))

let worlds = 0
let memory: Promise<Database> | undefined

/** Simulates the world of a seed. */
export async function simulate(seed: number, { database, plant }: SimulationOptions = {}): Promise<Simulated> {
  memory ??= inMemory()
  const target = database ?? (await memory)
  await empty(target)
  const world = new World(seed, target, plant)
  const restore = plant?.replace?.()
  try {
    await world.run()
  } finally {
    restore?.()
  }
  return { seed, trace: world.trace, violations: world.violations }
}

/** A key, as the rules see it. */
export interface SimulatedKey {
  readonly key: Key
  readonly token: string
  readonly account: number
  /** The virtual time after which it has to be refused. */
  revokedAt: number | undefined
}

export class World {
  readonly trace: string[] = []
  readonly violations: string[] = []
  readonly scenario: Scenario
  readonly scheduler = new Scheduler()
  readonly database: Database
  readonly calls: SimulatedCall[] = []
  readonly keys: SimulatedKey[] = []
  /** All processes, including ended ones. */
  readonly everyProcess: ServerProcess[] = []
  /** The largest allowance that each account has had, by its identifier. */
  readonly allowances = new Map<string, number>()
  /** The highest value of each counter. */
  readonly highest = new Map<string, number>()
  hasPruned = false
  /** The operator's store, without faults. */
  readonly operator: Store
  readonly #number: number
  readonly #random: Random
  readonly #databaseState: DatabaseState
  readonly #plant: Plant | undefined
  readonly #processes: ServerProcess[] = []

  constructor(seed: number, database: Database, plant: Plant | undefined) {
    worlds += 1
    this.#number = worlds
    this.scenario = scenarioOf(seed)
    this.database = database
    this.#plant = plant
    this.#random = new Random(seed ^ 0x5eed)
    const poisoned = new Set(this.scenario.calls.filter(({ isPoisoned }) => isPoisoned).map(({ number }) => number))
    this.#databaseState = {
      isFull: false,
      isDown: false,
      losesAnswers: false,
      isFrozenUntil: 0,
      isSlow: false,
      held: new Set(),
      faultRate: this.scenario.faultRate,
      poisoned,
    }
    const clock = new ProcessClock(this.scheduler, EVERYBODY, { startsAt: this.scenario.startsAt, offsetMs: 0 })
    const random = this.#random.fork()
    this.operator = createStore(database, { randomBytes: (count) => random.bytes(count), clock })
  }

  async run(): Promise<void> {
    const { scenario, scheduler } = this
    await this.#makeAccounts()
    for (const index of scenario.processes.keys()) this.#start(index)
    for (const plan of scenario.calls) scheduler.after(plan.at, () => this.#call(plan))
    for (const incident of scenario.incidents) this.#planIncident(incident)
    scheduler.after(0.6 * scenario.quietAt, () => this.#checkBalance())
    await scheduler.runUntil(scenario.quietAt)
    this.#becomeQuiet()
    await scheduler.runUntil(scenario.quietAt + QUIET_MS)
    for (const process of this.#processes) {
      const { charges, notes } = process.store.ledgerState()
      if (charges + notes > 0)
        this.#violated(`${process.name} has not written everything: ${charges} charges, ${notes} notes`)
    }
    await this.#checkBalance()
    for (const violation of await violationsOf(this)) this.#violated(violation)
  }

  #note(who: string, what: string): void {
    this.trace.push(`${String(this.scheduler.now).padStart(6)} ${who}: ${what}`)
  }

  #violated(violation: string): void {
    this.#note('rules', violation)
    this.violations.push(violation)
  }

  async #makeAccounts(): Promise<void> {
    for (const [account, { plan, keys }] of this.scenario.accounts.entries()) {
      const { id } = await this.operator.ensureAccount(`account${account}@example.com`, this.scenario.startsAt)
      await this.operator.setPlan(id, plan)
      this.allowances.set(id, PLANS[plan].allowance.units)
      for (let made = 0; made < keys; made += 1) {
        const token = `kf_live_${this.keys.length}`
        const hash = createHash('sha256').update(token).digest('hex')
        const draft = { accountId: id, name: 'k', prefix: 'kf_live_', hash, createdAt: this.scenario.startsAt }
        const key = await this.operator.createKey(draft)
        if (typeof key === 'string') throw new Error(key)
        this.keys.push({ key, token, account, revokedAt: undefined })
      }
    }
  }

  #start(index: number): void {
    const { scenario, scheduler } = this
    const generation = this.everyProcess.filter((process) => process.index === index).length
    const owner: Owner = { isAlive: true, frozenUntil: 0 }
    const note = (what: string): void => this.#note(`p${index}.${generation}`, what)
    const offsetMs = scenario.processes[index]?.clockOffsetMs ?? 0
    const driver = new FaultyDriver(this.database.ledger, {
      scheduler,
      state: this.#databaseState,
      random: this.#random.fork(),
      owner,
      concurrency: scenario.concurrency,
      note,
      onCommit: (batch, answer) => this.#committed(batch, answer),
    })
    note('starts')
    const process = new ServerProcess({
      index,
      generation,
      owner,
      clock: new ProcessClock(scheduler, owner, { startsAt: scenario.startsAt, offsetMs }),
      database: this.database,
      driver,
      random: this.#random.fork(),
      pendingPath: join(FOLDER, `${this.#number}-${index}`),
      plant: this.#plant,
      note,
    })
    this.#processes[index] = process
    this.everyProcess.push(process)
  }

  #call(plan: CallPlan): void {
    const listening = this.#processes.filter(({ isListening }) => isListening)
    if (listening.length === 0) return // refused by the operating system: no process receives it
    const process = this.#random.pick(listening)
    const token = plan.caller.kind === 'key' ? this.keys[plan.caller.key]?.token : undefined
    const call = new SimulatedCall(plan, { token, clock: process.clock })
    this.calls.push(call)
    this.#note(
      process.name,
      `call ${plan.number} comes, ${plan.units} units of ${plan.caller.kind} ${plan.caller.kind === 'key' ? plan.caller.key : plan.caller.client}`,
    )
    if (plan.leavesAfterMs !== undefined) {
      this.scheduler.after(plan.leavesAfterMs, () => {
        if (call.reply !== undefined) return
        call.aborted = true
        this.#note('caller', `call ${plan.number} leaves`)
      })
    }
    void process.serve(call)
  }

  #committed(batch: LedgerBatch, { months, days }: BatchAnswer): void {
    for (const [takes, answers] of [
      [batch.months, months],
      [batch.days, days],
    ] as const) {
      for (const [index, { counter, period }] of takes.entries()) {
        const after = answers[index]?.[0] ?? 0
        const limit = this.allowances.get(counter) ?? PLANS.keyless.allowance.units
        if (after > limit) this.#violated(`${counter} is at ${after} of ${limit} in ${period}`)
        this.highest.set(counter, Math.max(after, this.highest.get(counter) ?? 0))
      }
    }
  }

  #planIncident(incident: Incident): void {
    this.scheduler.after(incident.at, () => {
      this.#note('world', incidentText(incident))
      return this.#begin(incident)
    })
    if ('until' in incident) this.scheduler.after(incident.until, () => this.#finish(incident))
  }

  /** Starts an incident. */
  #begin(incident: Incident): unknown {
    const state = this.#databaseState
    switch (incident.kind) {
      case 'disk full':
        state.isFull = true
        return
      case 'database down':
        state.isDown = true
        return
      case 'answers lost':
        state.losesAnswers = true
        return
      case 'database frozen':
        state.isFrozenUntil = incident.until
        return
      case 'database slow':
        state.isSlow = true
        return
      case 'row held':
        return this.#databaseState.held.add(this.#accountId(incident.account))
      case 'process killed':
        return this.#kill(incident.process)
      case 'process stopped':
        return void this.#stop(incident.process)
      case 'process frozen': {
        const owner = this.#processes[incident.process]?.owner
        if (owner !== undefined) owner.frozenUntil = incident.until
        return
      }
      case 'clock set': {
        const clock = this.#processes[incident.process]?.clock
        if (clock !== undefined) clock.offsetMs += incident.byMs
        return
      }
      case 'ledger pruned': {
        this.hasPruned = true
        const process = this.#processes[incident.process]
        return process?.isListening === true ? process.store.prune(process.clock.now(), 90) : undefined
      }
      case 'key revoked':
        return this.#revoke(incident.key)
      case 'plan raised':
        return this.#raise(this.#accountId(incident.account))
      default:
        return incident satisfies never
    }
  }

  #finish(incident: Incident): void {
    const state = this.#databaseState
    switch (incident.kind) {
      case 'disk full':
        state.isFull = false
        return
      case 'database down':
        state.isDown = false
        return
      case 'answers lost':
        state.losesAnswers = false
        return
      case 'database slow':
        state.isSlow = false
        return
      case 'row held':
        state.held.delete(this.#accountId(incident.account))
        return
      case 'process killed':
        if (this.#processes[incident.process]?.owner.isAlive === false) this.#start(incident.process)
        return
      default:
        return
    }
  }

  /** Everything that it had not written is lost, including what it had taken over from an earlier process. */
  #kill(index: number): void {
    const process = this.#processes[index]
    if (process === undefined) return
    const { charges, notes } = process.store.ledgerState()
    for (const { calls } of this.everyProcess.filter((other) => other.index === index)) {
      for (const call of calls) call.isCutOff ||= call.reply === undefined || charges + notes > 0
    }
    process.kill()
  }

  async #stop(index: number): Promise<void> {
    const process = this.#processes[index]
    if (process?.isListening !== true) return
    await process.stop()
    this.#note(process.name, 'has stopped')
    this.#start(index)
  }

  #accountId(account: number): string {
    return this.keys.find((key) => key.account === account)?.key.accountId ?? ''
  }

  async #revoke(index: number): Promise<void> {
    const key = this.keys[index]
    if (key === undefined) return
    await this.operator.revokeKey(key.key.id, this.scenario.startsAt)
    key.revokedAt ??= this.scheduler.now
  }

  async #raise(accountId: string): Promise<void> {
    await this.operator.setPlan(accountId, 'pro')
    this.allowances.set(accountId, PLANS.pro.allowance.units)
  }

  /** Ends all faults and restarts killed processes. */
  #becomeQuiet(): void {
    this.#note('world', 'quiet from now on')
    this.#databaseState.faultRate = 0
    for (const incident of this.scenario.incidents) this.#finish(incident)
  }

  async #checkBalance(): Promise<void> {
    for (const violation of await balanceViolations(this.database)) this.#violated(violation)
  }
}

/** The owner of tasks that do not belong to a process. */
const EVERYBODY: Owner = { isAlive: true, frozenUntil: 0 }

function incidentText({ kind, at: _, ...details }: Incident): string {
  return [kind, ...Object.entries(details).map(([name, value]) => `${name} ${value}`)].join(', ')
}
