import type { AccountPlan, BurstLimit, CallMode, CallStatus } from '@keepfirst/protocol'
import type { ClientConnection } from '../client-connection.ts'

/*
 * What the service stores: accounts, keys and the ledger, in terms of the domain. `create-store.ts` implements it on a
 * `Database`, which `sqlite.ts` and `postgres.ts` provide; the same tests run against both.
 *
 * Times are milliseconds since 1970 UTC and always passed in. Identifiers are opaque. A promise rejects only when the
 * database itself fails, and within bounded time.
 */

export interface Account {
  readonly id: string
  readonly email: string
  readonly plan: AccountPlan
  readonly createdAt: number
  readonly madeBy: AccountMaker
  /**
   * When its owner last claimed it with the operator's one-time link; null: nobody has proved that the address is
   * theirs.
   */
  readonly claimedAt: number | null
}

/** Who made an account: the operator, or someone who signed up with an unverified address. */
export type AccountMaker = 'operator' | 'sign-up'

/** Who made a key: the operator, someone who signed up before the account was claimed, or the owner after that. */
export type KeyMaker = AccountMaker | 'owner'

/** A key without its token, which is not stored. */
export interface Key {
  readonly id: string
  readonly accountId: string
  readonly account: string
  readonly plan: AccountPlan
  readonly name: string
  /** The beginning of the token. */
  readonly prefix: string
  readonly createdAt: number
  readonly madeBy: KeyMaker
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

/** The holder of an active key: all that a request needs to know. */
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
   * The account as the user who makes the key saw it; absent for the operator. No key is made if the account has been
   * claimed since.
   */
  readonly seen?: Pick<Account, 'claimedAt'> | undefined
}

/** The charge for a request with a key: month first, then the key's burst window, both or neither. */
export interface Charge {
  readonly holder: KeyHolder
  readonly at: number
  readonly mode: CallMode
  readonly rows: number
  readonly units: number
}

/** Whoever waits for a charge; polled, without listeners. An `AbortSignal` is one. */
export type WaitingClient = Pick<ClientConnection, 'aborted'>

/** The caller disconnected before its charge went into a commit: nothing was charged. */
export interface Withdrawn {
  readonly outcome: 'withdrawn'
}

export type Admission =
  | { readonly outcome: 'admitted'; readonly ticket: Ticket }
  /** The month's allowance is not enough; `used` is what was used so far, and nothing was charged. */
  | { readonly outcome: 'month spent'; readonly used: number }
  /** The key's window is full; nothing was charged. Whole seconds until it ends, at least 1. */
  | { readonly outcome: 'burst'; readonly limit: BurstLimit; readonly retryAfterSeconds: number }
  | Withdrawn

/** The charge for a keyless request, to its network address's day. */
export interface KeylessCharge {
  /** Keyed hash of the address (never the address itself). */
  readonly addressHash: string
  readonly at: number
  readonly units: number
}

export type KeylessAdmission =
  | { readonly outcome: 'admitted'; readonly ticket: Ticket }
  | { readonly outcome: 'day spent' }
  | Withdrawn

export interface KeyedTicket {
  readonly kind: 'keyed'
  /** Created by this program: identifies the charge, whatever becomes of the answer to its commit. */
  readonly chargeId: string
  readonly accountId: string
  /** When it was charged, which determines the month. */
  readonly at: number
  readonly units: number
}

/**
 * Identifies an admitted request in the ledger, so that it can be completed or refunded. `client` is the hash of its
 * address, named as the column is, since tickets are also in files of pending refunds.
 */
export type Ticket =
  | KeyedTicket
  | { readonly kind: 'keyless'; readonly client: string; readonly period: string; readonly units: number }

/** How an admitted request ended. `removed` is null if unknown or not applicable. */
export interface Completion {
  readonly status: number
  readonly removed: number | null
  readonly durationMs: number
}

/** A call that was refused after its key was verified; costs nothing. Unknown values are null. */
export interface RefusedCall {
  readonly holder: KeyHolder
  readonly at: number
  readonly mode: CallMode | null
  readonly rows: number | null
  readonly status: number
  readonly durationMs: number
}

/** A call in the ledger. `status` null: in progress, or interrupted by a crash. */
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

/** Totals of one account's calls on one UTC day, by key and mode. */
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

/** One account's month: its counter, which equals the sum of its events' units at every commit. */
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

/** An HTTP status, or a kind of status. */
export type StatusFilter = number | CallStatus

/** An account's month in which counter, calls and totals differ. */
export interface Imbalance {
  readonly account: string
  readonly month: string
  readonly used: number
  /** Units of its events, and of calls that are no longer stored individually. */
  readonly sum: number
  /** The same, according to the totals that reports use. */
  readonly reported: number
}

/** What is waiting to be written to the ledger. */
export interface LedgerState {
  /** Charges waiting for their commit. */
  readonly charges: number
  /** Completions, refunds and refusals that have not been written yet. */
  readonly notes: number
  readonly refunds: number
}

export interface Store {
  /**
   * The holder of an active key, by the SHA-256 of its token (64 hexadecimal digits). Never cached, never waits for a
   * write.
   */
  findHolder(tokenHash: string): Promise<KeyHolder | undefined>
  /** Makes a key unless the account's plan allows no more; decided in one transaction. */
  createKey(draft: KeyDraft): Promise<Key | 'no account' | 'key limit'>
  /** An account's keys in order of creation, including revoked ones. */
  keysOf(accountId: string): Promise<readonly Key[]>
  /** All keys in order of creation, in pages that are read on demand. */
  keyPages(): AsyncIterable<readonly Key[]>
  /** Permanent. With `accountId`, only a key of that account. Revoking twice changes nothing. */
  revokeKey(keyId: string, at: number, accountId?: string): Promise<Key | undefined>

  /** The account with this address (ignoring case), created on `FIRST_PLAN` if there is none. */
  ensureAccount(email: string, at: number): Promise<Account>
  /** A new account with this address on `FIRST_PLAN`, or undefined if there is one already. */
  createAccount(email: string, at: number): Promise<Account | undefined>
  /** The account with this address (ignoring case); undefined if there is none, or it was deleted. */
  findAccount(email: string): Promise<Account | undefined>
  /** Undefined if there is none, or it was deleted. */
  accountById(id: string): Promise<Account | undefined>
  /** All accounts in order of creation, in pages. */
  accountPages(): AsyncIterable<readonly Account[]>
  /** The account on its new plan, which applies from its next request on; undefined if there is none. */
  setPlan(accountId: string, plan: AccountPlan): Promise<Account | undefined>
  /**
   * Deletes an account: its keys, user and sessions end at once, and its address and the names of its keys are removed.
   * Its usage is kept without a name. False if there is no such account.
   */
  deleteAccount(accountId: string, at: number): Promise<boolean>

  /**
   * Decides and charges in one durable step; resolves after its commit. Limits come from the holder's plan. A caller
   * that has disconnected by the time the batch is composed is dropped; a later disconnection is up to the caller of
   * this method (`refund`).
   * @throws Error when the database failed or did not decide in time: nothing remains charged, and a charge that turns
   * out to have been committed is refunded
   */
  admit(charge: Charge, client?: WaitingClient): Promise<Admission>
  admitKeyless(charge: KeylessCharge, client?: WaitingClient): Promise<KeylessAdmission>
  /** Records how an admitted request ended. Written soon and retried until it is; nobody waits for it. */
  complete(ticket: Ticket, completion: Completion): void
  /**
   * The service failed: refunds the units to the period that was charged, and marks the event. Never rejects: resolves
   * when it is written or when the first attempt has failed, after which it is retried until it is written.
   */
  refund(ticket: Ticket, completion: Completion): Promise<void>
  /** Written soon and retried until it is; nobody waits for it. */
  recordRefusal(call: RefusedCall): void
  /** Resolves when everything submitted has been written, or an attempt to write it has failed. */
  flush(): Promise<void>
  ledgerState(): LedgerState

  /** The counter of an account's month: a single row, cheap. */
  usedUnits(accountId: string, month: string): Promise<number>
  /** Ordered by address, in pages. */
  monthPages(query: UsageQuery): AsyncIterable<readonly MonthUsage[]>
  /** Oldest first. Read from totals that are maintained as calls arrive, so the number of calls does not matter. */
  days(query: AccountMonth): Promise<readonly DayUsage[]>
  /** The newest ones, oldest first. */
  newestEvents(query: EventQuery & { readonly limit: number }): Promise<readonly UsageEvent[]>
  /** Oldest first, in pages. */
  eventPages(query: EventQuery): AsyncIterable<readonly UsageEvent[]>
  /** Accounts' months in which counter, calls and totals differ; of one month, or of all. */
  imbalances(month?: string): Promise<readonly Imbalance[]>

  /** Drops keyless days that are over, and rolls events older than `eventDays` up into daily totals, in small pieces. */
  prune(now: number, eventDays: number): Promise<void>
  /**
   * Proves that commits reach the disk and that keys can be looked up.
   * @throws Error when they do not or cannot
   */
  ready(): Promise<void>
  /** Writes what is queued, then closes the database. */
  close(): Promise<void>
}
