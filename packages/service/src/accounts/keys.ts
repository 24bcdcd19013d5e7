import { type AccountPlan, FIELD_LIMITS } from '@keepfirst/protocol'
import type { RandomBytes } from '../store/identifiers.ts'
import type { Account, Key, KeyHolder, Store } from '../store/store.ts'
import { hashSecret } from './hash-secret.ts'

/* What can be done with keys, for both the dashboard and the operator's commands. */

const DEFAULT_KEY_NAME = 'API key'

/** How much of a token is stored and shown. */
export const PREFIX_CHARACTERS = 12
const SECRET_BYTES = 32
/** No token is this long (specification 2.5), so a truncated one never matches, and hashing is bounded. */
const MAX_PRESENTED_CHARACTERS = 128

export interface KeyRequest {
  readonly accountId: string
  /** Moves the account to this plan, if the key can be made on it. */
  readonly plan?: AccountPlan | undefined
  /** As typed. Absent or blank: the default name. */
  readonly name?: string | undefined
  /** First part of the token: 1 to 4 letters or digits. */
  readonly tokenPrefix: string
  /** The account as the requesting user saw it; absent for the operator. */
  readonly seen?: Account | undefined
  readonly now: number
  readonly randomBytes: RandomBytes
}

/** A new key and its token, which is returned only here and not stored. */
export interface NewKey {
  readonly key: Key
  readonly token: string
}

/**
 * Makes a key. `bad name`: longer than `FIELD_LIMITS` allows, or with control characters. `key limit`: the account has
 * all the active keys that its plan allows. `no account`: it was deleted, or claimed since the user saw it.
 */
export async function issueKey(
  store: Store,
  { accountId, plan, name, tokenPrefix, seen, now, randomBytes }: KeyRequest,
): Promise<NewKey | 'bad name' | 'no account' | 'key limit'> {
  const validName = keyName(name)
  if (validName === undefined) return 'bad name'
  const token = `${tokenPrefix}_live_${Buffer.from(randomBytes(SECRET_BYTES)).toString('hex')}`
  const prefix = token.slice(0, PREFIX_CHARACTERS)
  const draft = { accountId, plan, name: validName, prefix, hash: hashSecret(token), createdAt: now, seen }
  const key = await store.createKey(draft)
  return typeof key === 'string' ? key : { key, token }
}

/**
 * The holder of the presented key, or undefined if it is unknown, revoked or malformed. The work is always the same:
 * one hash and one look-up. Nothing is cached.
 * @throws Error when the store fails
 */
export function verifyToken(store: Pick<Store, 'findHolder'>, presented: string): Promise<KeyHolder | undefined> {
  return store.findHolder(hashSecret(presented.slice(0, MAX_PRESENTED_CHARACTERS)))
}

/** What {@link keyName} accepts, for people. */
export const KEY_NAME_RULE: string = `Use at most ${FIELD_LIMITS.keyName} characters, and no control characters.`

/** A key's name without surrounding white space, or undefined if it is not acceptable. */
export function keyName(typed: string | undefined): string | undefined {
  const name = (typed ?? '').trim()
  if (name === '') return DEFAULT_KEY_NAME
  return name.length > FIELD_LIMITS.keyName || hasControls(name) ? undefined : name
}

/** Control characters, line separators, and lone surrogates, which no database can store. */
function hasControls(text: string): boolean {
  return /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text)
}
