import { hkdfSync } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from '@keepfirst/cli/errors'
import { type Config, SettingError } from './config.ts'

/** `AUTH_SECRET` is held to the same (`config.ts`). */
const LEAST_CHARACTERS = 32

/** What is made from the one secret of an installation. None of it stands in the database. */
export interface Secrets {
  /** Signs session cookies. */
  readonly sessions: string
  /** Keys the hash that stands for a network address, so that the database alone gives no address away. */
  readonly addresses: Uint8Array
}

/**
 * The secrets of this installation: from the operator's `AUTH_SECRET`, else from one that is made once and kept
 * beside the embedded database, readable for this user alone.
 * @throws SettingError with PostgreSQL and no secret (instances must share one), or when the file can't be written or
 * holds no whole secret: what is signed with less could be forged
 */
export async function readSecrets(config: Config, randomBytes: (count: number) => Uint8Array): Promise<Secrets> {
  const sessions = config.authSecret ?? (await keptSecret(config.databaseUrl, randomBytes))
  return { sessions, addresses: new Uint8Array(hkdfSync('sha256', sessions, '', 'keepfirst network addresses', 32)) }
}

async function keptSecret(databaseUrl: string, randomBytes: (count: number) => Uint8Array): Promise<string> {
  if (!databaseUrl.startsWith('sqlite:')) {
    throw new SettingError('AUTH_SECRET must be set with PostgreSQL: 32 characters or more, the same on every instance')
  }
  const folder = dirname(databaseUrl.slice('sqlite:'.length))
  const file = join(folder, 'auth-secret')
  const kept = await readOrMake(file, randomBytes).catch((error: unknown) => {
    throw new SettingError(`AUTH_SECRET: none can be kept at ${file} (${codeOf(error) ?? error})`)
  })
  if (kept.length < LEAST_CHARACTERS) {
    throw new SettingError(
      `AUTH_SECRET: ${file} holds fewer than ${LEAST_CHARACTERS} characters; remove it or set AUTH_SECRET`,
    )
  }
  return kept
}

/**
 * What the file holds. When there is none, it is written beside, synced, and then given its name, which succeeds for one
 * program alone and never for half a file.
 */
async function readOrMake(file: string, randomBytes: (count: number) => Uint8Array): Promise<string> {
  const found = await textOf(file)
  if (found !== undefined) return found
  const hex = (count: number): string => Buffer.from(randomBytes(count)).toString('hex')
  const draft = `${file}.${hex(8)}`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeDurably(draft, hex(32))
    await link(draft, file).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error // else another program was first, and its secret counts
    })
  } finally {
    await unlink(draft).catch(() => {})
  }
  return (await textOf(file)) ?? ''
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The text of a file, undefined when there is none. */
async function textOf(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
