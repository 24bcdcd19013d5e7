import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, explain, UserError } from '@keepfirst/cli/errors'
import { ACCOUNT_PLANS, CALL_MODES } from '@keepfirst/protocol'
import { z } from 'zod'
import type { Unwritten } from './ledger.ts'

const mode = z.enum(CALL_MODES)
const count = z.number().nullable()
const completion = z.object({ status: z.number(), removed: count, durationMs: z.number() })
const keyed = z.object({
  kind: z.literal('keyed'),
  chargeId: z.string(),
  accountId: z.string(),
  at: z.number(),
  units: z.number(),
})
const keyless = z.object({ kind: z.literal('keyless'), client: z.string(), period: z.string(), units: z.number() })
const ticket = z.discriminatedUnion('kind', [keyed, keyless])
const holder = z.object({ keyId: z.string(), accountId: z.string(), plan: z.enum(ACCOUNT_PLANS) })
const notes = z.object({
  completions: z.array(z.object({ ticket: keyed, completion })),
  refunds: z.array(z.object({ ticket, completion })),
  refusals: z.array(
    z.object({
      holder,
      at: z.number(),
      mode: mode.nullable(),
      rows: count,
      status: z.number(),
      durationMs: z.number(),
    }),
  ),
  refusalSums: z.array(
    z.object({
      accountId: z.string(),
      keyId: z.string(),
      day: z.string(),
      mode: z.union([mode, z.literal('')]),
      status: z.number(),
      calls: z.number(),
      rows: z.number(),
    }),
  ),
  lastUses: z.array(z.object({ keyId: z.string(), at: z.number() })),
})
const charge = z.object({ part: z.enum(['months', 'days']), take: z.number(), ticket })
const batch = z.object({ id: z.string(), at: z.number(), charges: z.array(charge), notes })

/** The content of the file, which an operator may have written by hand from a log. */
const UNWRITTEN: z.ZodType<Unwritten> = z.object({ notes, batches: z.array(batch) })

/**
 * Keeps, for the next start, what could not be written before shutdown. It contains nothing secret or personal: only
 * identifiers, units and statuses.
 */
export class PendingFile {
  readonly #path: string

  /** @throws UserError when what is at this path cannot be read and written, or nothing can be created there */
  constructor(path: string) {
    this.#path = path
    try {
      openForAll(path)
    } catch (error) {
      throw explain(error, `PENDING_FILE ${path}`)
    }
  }

  /**
   * Returns the content and deletes the file, so that nothing is refunded twice; undefined if there is none.
   * @throws Error when it cannot be deleted
   * @throws UserError when it is not what `keep` writes; the file is left as it is
   */
  take(): Unwritten | undefined {
    let text: string
    try {
      text = readFileSync(this.#path, 'utf8')
    } catch {
      return undefined
    }
    const unwritten = this.#parse(text)
    rmSync(this.#path)
    return unwritten
  }

  #parse(text: string): Unwritten {
    const read = UNWRITTEN.safeParse(parseJson(text))
    if (read.success) return read.data
    const where = read.error.issues[0]?.path.join('.')
    const what = where ? `has no valid ${where}` : 'is not a JSON object'
    throw new UserError(`PENDING_FILE ${this.#path}: ${what}; correct it, or move it away`)
  }

  /**
   * Writes the file, whole or not at all.
   * @throws Error when it cannot be written either; the message contains what would have been written
   */
  keep(unwritten: Unwritten): void {
    const { completions, refunds, refusals, refusalSums } = unwritten.notes
    if ([completions, refunds, refusals, refusalSums, unwritten.batches].every(({ length }) => length === 0)) return
    const text = `${JSON.stringify(unwritten)}\n`
    try {
      replaceFile(this.#path, text)
    } catch (cause) {
      throw new Error(`save this as PENDING_FILE ${this.#path}, which could not be written: ${text}`, { cause })
    }
  }
}

/** Undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const beside = `${path}.new`
  // As bytes: of text, Node.js 20 ignores that it has to be flushed.
  writeFileSync(beside, Buffer.from(text), { mode: 0o600, flush: true })
  renameSync(beside, path)
}

/** @throws Error when a file at this path cannot be read, written, created or replaced */
function openForAll(path: string): void {
  try {
    closeSync(openSync(path, 'r+'))
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  let folder = dirname(path)
  while (!existsSync(folder)) folder = dirname(folder)
  accessSync(folder, constants.W_OK | constants.X_OK)
}
