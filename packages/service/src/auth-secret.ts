import { hkdfSync } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from '@keepfirst/cli/errors'
import { type Config, SECRET_CHARACTERS, SettingError } from './config.ts'
import type { RandomBytes } from './store/identifiers.ts'

/** Secrets derived from the installation's one secret. None of them is in the database. */
export interface Secrets {
  /** Signs session cookies. */
  readonly sessions: string
  /** Keys the hash of network addresses, so that the database alone does not reveal an address. */
  readonly addresses: Uint8Array
}

/**
 * The secrets of this installation: derived from the operator's `AUTH_SECRET`, or else from a secret that is generated
 * once and stored beside the embedded database, readable only by this user.
 * @throws SettingError when PostgreSQL is used without a secret (instances must share one), when the file cannot be
 * written, or when its secret is so short that signatures could be forged
 */
export async function readSecrets(config: Config, randomBytes: RandomBytes): Promise<Secrets> {
  const sessions = config.authSecret ?? (await storedSecret(config.databaseUrl, randomBytes))
  return { sessions, addresses: new Uint8Array(hkdfSync('sha256', sessions, '', 'keepfirst network addresses', 32)) }
}

async function storedSecret(databaseUrl: string, randomBytes: RandomBytes): Promise<string> {
  if (!databaseUrl.startsWith('sqlite:')) {
    throw new SettingError(
      `AUTH_SECRET must be set with PostgreSQL: ${SECRET_CHARACTERS} characters or more, the same on every instance`,
    )
  }
  const folder = dirname(databaseUrl.slice('sqlite:'.length))
  const file = join(folder, 'auth-secret')
  const secret = await readOrCreate(file, randomBytes).catch((error: unknown) => {
    throw new SettingError(`AUTH_SECRET: cannot store one in ${file} (${codeOf(error) ?? error})`)
  })
  if (secret.length < SECRET_CHARACTERS) {
    throw new SettingError(
      `AUTH_SECRET: ${file} holds fewer than ${SECRET_CHARACTERS} characters; remove it or set AUTH_SECRET`,
    )
  }
  return secret
}

/**
 * The file's content. If there is no file, the secret is written beside it, synced and then linked to its name, which
 * succeeds for only one process and never leaves half a file.
 */
async function readOrCreate(file: string, randomBytes: RandomBytes): Promise<string> {
  const found = await textOf(file)
  if (found !== undefined) return found
  const hex = (count: number): string => Buffer.from(randomBytes(count)).toString('hex')
  const draft = `${file}.${hex(8)}`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeDurably(draft, hex(32))
    await link(draft, file).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error // another process was first; its secret is used
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

/** The text of a file; undefined if it does not exist. */
async function textOf(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
