import type { AccountPlan } from '@keepfirst/protocol'
import type { Account, Key, KeyHolder, Store } from '../store/store.ts'
import { hashSecret } from './hash-secret.ts'

/* What a person can do with keys; the dashboard and the operator's commands come here alike. */

export const DEFAULT_KEY_NAME = 'API key'

const NAME_CHARACTERS = 100
const PREFIX_CHARACTERS = 12
const SECRET_BYTES = 32
/** No token is as long (specification 2.5), so a cut one is never found; hashing stays bounded. */
const PRESENTED_CHARACTERS = 128

export interface KeyRequest {
  readonly accountId: string
  /** Moves the account to this plan, if the key can be made there. */
  readonly plan?: AccountPlan | undefined
  /** As a person typed it. Absent or blank: the default name. */
  readonly name?: string | undefined
  /** First part of the token: 1 to 4 letters or digits. */
  readonly tokenPrefix: string
  /** The account as the person saw it who asks; absent: the operator asks. */
  readonly seen?: Account | undefined
  readonly now: number
  readonly randomBytes: (count: number) => Uint8Array
}

/** A new key and its token, which is shown this once and exists nowhere else. */
export interface NewKey {
  readonly key: Key
  readonly token: string
}

/**
 * Makes a key. `bad name`: longer than 100 characters or with control characters in it. `key limit`: the
 * account's plan has no key left. `no account`: it was deleted, or claimed since the person saw it.
 */
export async function createKey(
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
 * The holder of the key that was presented, or undefined when it is unknown, revoked or malformed. The work
 * is the same whatever is presented: one hash, one look-up. Nothing is cached.
 * @throws Error when the store fails
 */
export function verifyToken(store: Store, presented: string): Promise<KeyHolder | undefined> {
  return store.findHolder(hashSecret(presented.slice(0, PRESENTED_CHARACTERS)))
}

/** A name for a key without the white space around it, or undefined when it can't be one. */
export function keyName(typed: string | undefined): string | undefined {
  const name = (typed ?? '').trim()
  if (name === '') return DEFAULT_KEY_NAME
  return [...name].length > NAME_CHARACTERS || hasControls(name) ? undefined : name
}

/** Control characters, line separators, and lone surrogates, which no database can hold. */
function hasControls(text: string): boolean {
  return /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text)
}
