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
import type { Unwritten } from './ledger.ts'

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
   * @throws UserError when it is not JSON; the file is left as it is
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
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw new UserError(`PENDING_FILE ${this.#path}: is not JSON; correct it, or move it away`, { cause })
    }
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
