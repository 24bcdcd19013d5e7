import type { AccountPlan, BurstLimit, Mode } from '@keepfirst/protocol'

/*
 * What the service remembers: accounts, keys and the books. Said in words of the domain; `sqlite.ts`
 * and `postgres.ts` say it to a database, and one body of tests holds both to it.
 *
 * Times are milliseconds since 1970 UTC and always handed in: nothing below `main.ts` reads a clock.
 * Identifiers are opaque. A promise rejects only when the database itself fails.
 */

export interface Account {
  readonly id: string
  readonly email: string
  readonly plan: AccountPlan
  readonly createdAt: number
  readonly madeBy: AccountMaker
  /** When its owner last took it over with the operator's one-time link; null: whose address it has is not known. */
  readonly claimedAt: number | null
}

/** Who made an account: the operator, or whoever signed up with an address that nobody has verified. */
export type AccountMaker = 'operator' | 'sign-up'

/** Who made a key: the operator, whoever signed up before the account was claimed, or the owner after that. */
export type KeyMaker = AccountMaker | 'owner'

/** A key as anyone may see it: never the token, which exists nowhere after its creation. */
export interface Key {
  readonly id: string
  readonly accountId: string
  readonly account: string
  readonly plan: AccountPlan
  readonly name: string
  /** The first 12 characters of the token. */
  readonly prefix: string
  readonly createdAt: number
  readonly madeBy: KeyMaker
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

/** Who presented a key that is active: all that a request needs to know. */
export interface KeyHolder {
  readonly keyId: string
  readonly accountId: string
  readonly plan: AccountPlan
}

export interface KeyDraft {
  readonly accountId: string
  /** Moves the account to this plan, if the key can be made there. */
  readonly plan?: AccountPlan | undefined
  readonly name: string
  readonly prefix: string
  /** SHA-256 of the token, 64 hexadecimal digits. */
  readonly hash: string
  readonly createdAt: number
  /**
   * The account as the person saw it who makes the key; absent: the operator makes it. Nothing is made when
   * the account was claimed since.
   */
  readonly seen?: Pick<Account, 'claimedAt'> | undefined
}

/** What a metered call does, as it stands in the books. */
export type CallMode = Mode | 'validate'

/** What a keyed request asks to be charged; month first, then a slot of the key's burst window, both or none. */
export interface Charge {
  readonly holder: KeyHolder
  readonly at: number
  readonly mode: CallMode
  readonly rows: number
  readonly units: number
}

export type Admission =
  | { readonly outcome: 'admitted'; readonly ticket: Ticket }
  /** The month can't bear it; `used` as it stands, nothing taken. */
  | { readonly outcome: 'month spent'; readonly used: number }
  /** The key's window is full; nothing taken. Whole seconds until it ends, at least 1. */
  | { readonly outcome: 'burst'; readonly limit: BurstLimit; readonly retryAfterSeconds: number }

/** What a keyless request asks to be charged against its network address's day. */
export interface KeylessCharge {
  /** Keyed hash of the address (never the address). */
  readonly client: string
  readonly at: number
  readonly units: number
}

export type KeylessAdmission =
  | { readonly outcome: 'admitted'; readonly ticket: Ticket }
  | { readonly outcome: 'day spent' }

/** Names one admitted request in the books, so that it can be completed or refunded. */
export type Ticket =
  | {
      readonly kind: 'keyed'
      readonly eventId: string
      readonly accountId: string
      readonly period: string
      readonly units: number
    }
  | { readonly kind: 'keyless'; readonly client: string; readonly period: string; readonly units: number }

/** How an admitted request ended. `removed` is null when it is not known or has no meaning. */
export interface Ending {
  readonly status: number
  readonly removed: number | null
  readonly durationMs: number
}

/** A keyed call that was refused after its key was verified; costs nothing. What is not known is null. */
export interface RefusedCall {
  readonly holder: KeyHolder
  readonly at: number
  readonly mode: CallMode | null
  readonly rows: number | null
  readonly status: number
  readonly durationMs: number
}

/** One call as it stands in the books. `status` null: under way, or interrupted by a crash. */
export interface UsageEvent {
  readonly at: number
  readonly account: string
  readonly keyId: string
  readonly keyPrefix: string
  readonly mode: CallMode | null
  readonly rows: number | null
  readonly removed: number | null
  readonly units: number
  readonly status: number | null
  readonly durationMs: number | null
}

/** Sums of one account's calls on one UTC day. */
export interface DayUsage {
  /** `YYYY-MM-DD` */
  readonly day: string
  readonly account: string
  readonly keyId: string
  readonly mode: CallMode | null
  readonly calls: number
  readonly rows: number
  readonly removed: number
  readonly units: number
  readonly refused: number
}

/** One account's month: what the counter says, which equals the sum of its events' units at every commit. */
export interface MonthUsage {
  readonly account: string
  readonly plan: AccountPlan
  /** `YYYY-MM` */
  readonly month: string
  readonly used: number
  readonly calls: number
}

export interface UsageQuery {
  readonly accountId?: string
  /** `YYYY-MM` */
  readonly month: string
}

export interface Store {
  /** The holder of an active key, by the SHA-256 of its token (64 hexadecimal digits). Never cached. */
  findHolder(tokenHash: string): Promise<KeyHolder | undefined>
  /** Makes a key unless the account's plan has none left; decided in one transaction. */
  createKey(draft: KeyDraft): Promise<Key | 'no account' | 'key limit'>
  listKeys(accountId?: string): Promise<readonly Key[]>
  /** For ever. With `accountId`, only a key of that account. Revoking twice changes nothing. */
  revokeKey(keyId: string, at: number, accountId?: string): Promise<Key | undefined>

  /** The account of that address (compared without case), made on the `free` plan when there is none. */
  ensureAccount(email: string, at: number): Promise<Account>
  /** A new account of that address on the `free` plan, or undefined when there is one already. */
  createAccount(email: string, at: number): Promise<Account | undefined>
  findAccount(email: string): Promise<Account | undefined>
  accountById(id: string): Promise<Account | undefined>
  listAccounts(): Promise<readonly Account[]>
  setPlan(accountId: string, plan: AccountPlan): Promise<Account | undefined>
  /**
   * Ends an account: its keys, its person and their sessions at once, its address and the names of its keys with
   * them. What it used stays, without a name. False when there is no such account.
   */
  deleteAccount(accountId: string, at: number): Promise<boolean>

  /** Decides and takes in one durable step; resolves after its own commit. Limits come from the holder's plan. */
  admit(charge: Charge): Promise<Admission>
  admitKeyless(charge: KeylessCharge): Promise<KeylessAdmission>
  /** Writes how an admitted request ended. Nobody has to wait for it; `close` does. */
  complete(ticket: Ticket, ending: Ending): Promise<void>
  /** The service failed: units back to the period that was charged, and the event says so. */
  refund(ticket: Ticket, ending: Ending): Promise<void>
  recordRefusal(call: RefusedCall): Promise<void>

  months(query: UsageQuery): Promise<readonly MonthUsage[]>
  days(query: UsageQuery): Promise<readonly DayUsage[]>
  /** Oldest first. `limit` keeps the newest ones. */
  events(query: UsageQuery & { readonly limit?: number }): Promise<readonly UsageEvent[]>

  /** Drops keyless days before today, folds events older than `eventDays` into their daily sums. */
  sweep(now: number, eventDays: number): Promise<void>
  /** Rejects when the database can't be written. */
  ready(): Promise<void>
  /** Writes what is queued, then lets go of the database. */
  close(): Promise<void>
}
