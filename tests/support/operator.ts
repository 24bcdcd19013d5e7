import { randomBytes } from 'node:crypto'
import type { AccountPlan } from '@keepfirst/protocol'
import { accountsSetPlan } from '../../packages/service/dist/operator/accounts.js'
import { accountsPassword } from '../../packages/service/dist/operator/accounts-password.js'
import type { OperatorContext } from '../../packages/service/dist/operator/context.js'
import { keysCreate } from '../../packages/service/dist/operator/keys.js'
import { usage } from '../../packages/service/dist/operator/usage.js'
import { type OpenDatabase, openDatabase } from '../../packages/service/dist/store/open.js'
import { until } from './until.ts'

/** The output of `keys create --json`. */
export interface CreatedKey {
  readonly id: string
  readonly token: string
  readonly prefix: string
  readonly account: string
  readonly plan: string
}

/** Runs the operator's commands on a server's database, without starting a process and a connection for each. */
export class Operator {
  readonly #databaseUrl: string
  readonly #baseUrl: string
  #opened: Promise<OpenDatabase> | undefined

  constructor(databaseUrl: string, baseUrl: string) {
    this.#databaseUrl = databaseUrl
    this.#baseUrl = baseUrl
  }

  /** Creates a key, and its account if necessary. */
  async key(account: string, plan: AccountPlan = 'pro'): Promise<CreatedKey> {
    return JSON.parse(await this.#printed((context) => keysCreate(context, { account, plan, json: true })))
  }

  setPlan(account: string, plan: AccountPlan): Promise<string> {
    return this.#printed((context) => accountsSetPlan(context, account, plan))
  }

  /** The one-time link printed by `accounts password`. */
  async link(account: string): Promise<string> {
    const [link = ''] = (await this.#printed((context) => accountsPassword(context, account))).split('\n')
    return link
  }

  /** The output of `usage --events --json`. */
  async allEvents(account: string): Promise<Record<string, unknown>[]> {
    return JSON.parse(await this.#printed((context) => usage(context, { account, events: true, json: true })))
  }

  /** The same, once no call is open: a call's completion is written after its answer. */
  async events(account: string): Promise<Record<string, unknown>[]> {
    let events: Record<string, unknown>[] = []
    await until(`no call of ${account} was open`, async () => {
      events = await this.allEvents(account)
      return events.every(({ status }) => status !== null)
    })
    return events
  }

  /** Closes the database; the next command opens it again. */
  async close(): Promise<void> {
    const opened = this.#opened
    this.#opened = undefined
    await (await opened)?.store.close()
  }

  async #printed(command: (context: OperatorContext) => Promise<void>): Promise<string> {
    this.#opened ??= openDatabase(this.#databaseUrl, randomBytes)
    const { store, kysely, reports } = await this.#opened
    let printed = ''
    const print = (text: string): void => {
      printed += `${text}\n`
    }
    const context = { store, kysely, reports, baseUrl: this.#baseUrl, tokenPrefix: 'kf', now: Date.now, randomBytes }
    await command({ ...context, print })
    return printed
  }
}
