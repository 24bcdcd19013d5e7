import type { AccountPlan } from '@keepfirst/protocol'
import type { Entry, Outcome } from './books.ts'
import type { Database } from './database.ts'
import {
  accountById,
  createAccount,
  createKey,
  deleteAccount,
  ensureAccount,
  findAccount,
  listAccounts,
  listKeys,
  revokeKey,
  setPlan,
} from './directory.ts'
import { GroupCommit } from './group-commit.ts'
import { days, events, months } from './reports.ts'
import type * as store from './store.ts'
import { dropKeylessDays, foldEvents } from './sweep.ts'

const DAY_MS = 86_400_000
const ID_BYTES = 8

/** The store over either database. */
export class DatabaseStore implements store.Store {
  readonly #database: Database
  readonly #randomBytes: RandomBytes
  readonly #books: GroupCommit

  constructor(database: Database, randomBytes: RandomBytes) {
    this.#database = database
    this.#randomBytes = randomBytes
    this.#books = new GroupCommit((entries) => database.apply(entries))
  }

  findHolder(tokenHash: string): Promise<store.KeyHolder | undefined> {
    return this.#database.findHolder(tokenHash)
  }
  createKey(draft: store.KeyDraft): Promise<store.Key | 'no account' | 'key limit'> {
    return createKey(this.#database.kysely, this.#newId(), draft)
  }
  listKeys(accountId?: string): Promise<readonly store.Key[]> {
    return listKeys(this.#database.kysely, accountId)
  }
  revokeKey(keyId: string, at: number, accountId?: string): Promise<store.Key | undefined> {
    return revokeKey(this.#database.kysely, keyId, { at, accountId })
  }

  ensureAccount(email: string, at: number): Promise<store.Account> {
    return ensureAccount(this.#database.kysely, this.#newAccount(email, at, 'operator'))
  }
  createAccount(email: string, at: number): Promise<store.Account | undefined> {
    return createAccount(this.#database.kysely, this.#newAccount(email, at, 'sign-up'))
  }
  accountById(id: string): Promise<store.Account | undefined> {
    return accountById(this.#database.kysely, id)
  }
  findAccount(email: string): Promise<store.Account | undefined> {
    return findAccount(this.#database.kysely, email)
  }
  listAccounts(): Promise<readonly store.Account[]> {
    return listAccounts(this.#database.kysely)
  }
  setPlan(accountId: string, plan: AccountPlan): Promise<store.Account | undefined> {
    return setPlan(this.#database.kysely, accountId, plan)
  }
  deleteAccount(accountId: string, at: number): Promise<boolean> {
    return deleteAccount(this.#database.kysely, accountId, at)
  }

  async admit(charge: store.Charge): Promise<store.Admission> {
    const outcome = await this.#books.put({ kind: 'charge', charge })
    if (outcome.outcome === 'written' || outcome.outcome === 'day spent') throw wrong(outcome)
    return outcome
  }
  async admitKeyless(charge: store.KeylessCharge): Promise<store.KeylessAdmission> {
    const outcome = await this.#books.put({ kind: 'keyless charge', charge })
    if (outcome.outcome === 'admitted' || outcome.outcome === 'day spent') return outcome
    throw wrong(outcome)
  }
  async complete(ticket: store.Ticket, ending: store.Ending): Promise<void> {
    // Of a keyless call nothing is kept but what its address has used.
    if (ticket.kind === 'keyed') await this.#write({ kind: 'completion', ticket, ending })
  }
  refund(ticket: store.Ticket, ending: store.Ending): Promise<void> {
    return this.#write({ kind: 'refund', ticket, ending })
  }
  recordRefusal(call: store.RefusedCall): Promise<void> {
    return this.#write({ kind: 'refusal', call })
  }

  months(query: store.UsageQuery): Promise<readonly store.MonthUsage[]> {
    return months(this.#database.kysely, query)
  }
  days(query: store.UsageQuery): Promise<readonly store.DayUsage[]> {
    return days(this.#database.kysely, query)
  }
  events(query: store.UsageQuery & { readonly limit?: number }): Promise<readonly store.UsageEvent[]> {
    return events(this.#database.kysely, query)
  }

  async sweep(now: number, eventDays: number): Promise<void> {
    await this.#database.dropEndedWindows(now)
    if (await dropKeylessDays(this.#database.kysely, now)) await this.#database.scrub()
    await foldEvents(this.#database.kysely, now - eventDays * DAY_MS)
  }

  async ready(): Promise<void> {
    await this.#database.kysely.transaction().execute(async (trx) => {
      await trx.updateTable('schema_migrations').set({ number: 0 }).where('number', '=', 0).execute()
    })
  }

  async close(): Promise<void> {
    await this.#books.idle()
    await this.#database.close()
  }

  #newAccount(email: string, createdAt: number, madeBy: store.AccountMaker): store.Account {
    return { id: this.#newId(), email, plan: 'free', createdAt, madeBy, claimedAt: null }
  }

  #newId(): string {
    return Buffer.from(this.#randomBytes(ID_BYTES)).toString('hex')
  }

  async #write(entry: Entry): Promise<void> {
    await this.#books.put(entry)
  }
}

/** So many random bytes, from a source fit for secrets. */
export type RandomBytes = (count: number) => Uint8Array

function wrong(outcome: Outcome): Error {
  return new Error(`the books answered '${outcome.outcome}' to a charge of another kind`)
}
