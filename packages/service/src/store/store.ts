import type { AccountPlan, BurstLimit, CallMode } from '@keepfirst/protocol'

/*
 * What the service remembers: accounts, keys and the ledger. Said in words of the domain; `sqlite.ts`
 * and `postgres.ts` say it to a database, and one body of tests holds both to it.
 *
 * Times are milliseconds since 1970 UTC and always handed in.
 * Identifiers are opaque. A promise rejects only when the database itself fails, and within bounded time.
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

/** What a keyed request asks to be charged; month first, then the key's burst window, both or none. */
export interface Charge {
  readonly holder: KeyHolder
  readonly at: number
  readonly mode: CallMode
  readonly rows: number
  readonly units: number
}

/** Whether whoever asked is still there: read, never listened to. An `AbortSignal` is one. */
export interface Presence {
  readonly aborted: boolean
}

/** The caller was gone before its charge went into a commit: nothing was taken. */
export interface Withdrawn {
  readonly outcome: 'withdrawn'
}

export type Admission =
  | { readonly outcome: 'admitted'; readonly ticket: Ticket }
  /** The month can't bear it; `used` as it stands, nothing taken. */
  | { readonly outcome: 'month spent'; readonly used: number }
  /** The key's window is full; nothing taken. Whole seconds until it ends, at least 1. */
  | { readonly outcome: 'burst'; readonly limit: BurstLimit; readonly retryAfterSeconds: number }
  | Withdrawn

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
  | Withdrawn

export interface KeyedTicket {
  readonly kind: 'keyed'
  /** Made by this program: names the charge, whatever becomes of the answer to its commit. */
  readonly chargeId: string
  readonly accountId: string
  /** When it was charged: says in which month. */
  readonly at: number
  readonly units: number
}

/** Names one admitted request in the ledger, so that it can be completed or refunded. */
export type Ticket =
  | KeyedTicket
  | { readonly kind: 'keyless'; readonly client: string; readonly period: string; readonly units: number }

/** How an admitted request ended. `removed` is null when it is not known or has no meaning. */
export interface Completion {
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

/** One call as it stands in the ledger. `status` null: under way, or interrupted by a crash. */
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

export type AccountMonth = Required<UsageQuery>

export interface EventQuery extends UsageQuery {
  readonly keyId?: string | undefined
  readonly status?: StatusFilter | undefined
}

/** Answered: 2xx. Refused: by a limit or a check. Failed: on our side, or hung up on. Open: under way, or interrupted. */
export type StatusFilter = number | 'answered' | 'refused' | 'failed' | 'open'

/** An account's month of which counter, calls and sums do not say the same. */
export interface Imbalance {
  readonly account: string
  readonly month: string
  readonly used: number
  /** Units of its events, and of those that no longer stand singly. */
  readonly sum: number
  /** The same by the sums that reports are made of. */
  readonly reported: number
}

/** What waits to be written to the ledger. */
export interface LedgerState {
  /** Charges that wait for their commit. */
  readonly charges: number
  /** Completions, refunds and refusals that are not written yet. */
  readonly notes: number
  readonly refunds: number
}

export interface Store {
  /** The holder of an active key, by the SHA-256 of its token (64 hexadecimal digits). Never cached, never behind a write. */
  findHolder(tokenHash: string): Promise<KeyHolder | undefined>
  /** Makes a key unless the account's plan has none left; decided in one transaction. */
  createKey(draft: KeyDraft): Promise<Key | 'no account' | 'key limit'>
  /** An account's keys in the order of their creation; revoked ones too. */
  keysOf(accountId: string): Promise<readonly Key[]>
  /** All keys in that order, in pages, each read for itself when it is asked for. */
  keyPages(): AsyncIterable<readonly Key[]>
  /** For ever. With `accountId`, only a key of that account. Revoking twice changes nothing. */
  revokeKey(keyId: string, at: number, accountId?: string): Promise<Key | undefined>

  /** The account of that address (compared without case), made on the `free` plan when there is none. */
  ensureAccount(email: string, at: number): Promise<Account>
  /** A new account of that address on the `free` plan, or undefined when there is one already. */
  createAccount(email: string, at: number): Promise<Account | undefined>
  findAccount(email: string): Promise<Account | undefined>
  accountById(id: string): Promise<Account | undefined>
  /** All accounts in the order of their creation, in pages. */
  accountPages(): AsyncIterable<readonly Account[]>
  setPlan(accountId: string, plan: AccountPlan): Promise<Account | undefined>
  /**
   * Ends an account: its keys, its person and their sessions at once, its address and the names of its keys with
   * them. What it used stays, without a name. False when there is no such account.
   */
  deleteAccount(accountId: string, at: number): Promise<boolean>

  /**
   * Decides and takes in one durable step; resolves after its own commit. Limits come from the holder's plan.
   * Whoever is gone when the batch is made up is dropped; who goes later is the caller's business (`refund`).
   * @throws Error when the database failed or did not decide in time: nothing stays taken, and what turns out to have
   *   been committed all the same is given back
   */
  admit(charge: Charge, presence?: Presence): Promise<Admission>
  admitKeyless(charge: KeylessCharge, presence?: Presence): Promise<KeylessAdmission>
  /** Notes how an admitted request ended. Written soon, tried until it is; nobody waits for it. */
  complete(ticket: Ticket, completion: Completion): void
  /**
   * The service failed: units back to the period that was charged, and the event says so. Never rejects: resolves
   * when it is written, or when the first attempt has failed; then it is tried until it is written.
   */
  refund(ticket: Ticket, completion: Completion): Promise<void>
  /** Written soon, tried until it is; nobody waits for it. */
  recordRefusal(call: RefusedCall): void
  /** Resolves when all that was handed in is written, or when an attempt to write it has failed. */
  flush(): Promise<void>
  ledgerState(): LedgerState

  /** What the counter of an account's month says: one row, cheap. */
  usedUnits(accountId: string, month: string): Promise<number>
  /** In the order of their addresses, in pages. */
  monthPages(query: UsageQuery): AsyncIterable<readonly MonthUsage[]>
  /** Oldest first. Read from sums that are kept as calls come: the number of calls does not matter. */
  days(query: AccountMonth): Promise<readonly DayUsage[]>
  /** The newest ones, oldest first. */
  newestEvents(query: EventQuery & { readonly limit: number }): Promise<readonly UsageEvent[]>
  /** Oldest first, in pages. */
  eventPages(query: EventQuery): AsyncIterable<readonly UsageEvent[]>
  /** Accounts' months of which counter, calls and sums do not say the same; of one month, or of all. */
  imbalances(month?: string): Promise<readonly Imbalance[]>

  /** Drops keyless days before today, rolls events older than `eventDays` up into their daily sums, in small pieces. */
  prune(now: number, eventDays: number): Promise<void>
  /**
   * Proves that a commit reaches the disk and that keys can be looked up.
   * @throws Error when they can't
   */
  ready(): Promise<void>
  /** Writes what is queued, then lets go of the database. */
  close(): Promise<void>
}
