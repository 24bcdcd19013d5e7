import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Complaint, codeOf, explain } from '../complaint.ts'
import type { Input } from './input.ts'
import { Output } from './output.ts'

/**
 * A file that takes another's place at once and whole, or not at all: written beside it, put on disk, renamed.
 * Mode and, where allowed, owner stay.
 */
export class Replacement {
  readonly output: Output
  readonly #input: Input
  readonly #target: string
  readonly #draft: string

  /** Throws `Complaint`. */
  constructor(file: string, input: Input) {
    if (!input.stats.isFile()) throw new Complaint(`${input.name}: is no file that could be replaced`)
    this.#input = input
    try {
      this.#target = realpathSync(file)
      this.#draft = join(dirname(this.#target), `.${basename(this.#target)}.${randomBytes(6).toString('hex')}`)
      this.output = new Output(file, openSync(this.#draft, 'wx', 0o600), input.isGzip)
    } catch (fault) {
      throw explain(fault, file)
    }
  }

  /** Puts the draft in the file's place. Throws `Complaint`, the file as it was. */
  async commit(): Promise<void> {
    await this.output.close(true)
    try {
      const { mode, uid, gid, size, mtimeMs } = this.#input.stats
      const now = statSync(this.#target)
      if (now.size !== size || now.mtimeMs !== mtimeMs) {
        throw new Complaint(`${this.#input.name}: changed while it was read; nothing was replaced`)
      }
      giveTo(this.#draft, uid, gid)
      chmodSync(this.#draft, mode & 0o7777)
      renameSync(this.#draft, this.#target)
      syncFolder(dirname(this.#target))
    } catch (fault) {
      throw explain(fault, this.#input.name)
    }
  }

  /** Leaves nothing behind, and the file as it was. */
  discard(): void {
    rmSync(this.#draft, { force: true })
  }
}

/** Only root may give files away; anyone else's draft has its owner already, or keeps its own. */
function giveTo(file: string, uid: number, gid: number): void {
  try {
    chownSync(file, uid, gid)
  } catch (fault) {
    if (codeOf(fault) !== 'EPERM') throw fault
  }
}

/** The new name itself must outlive a power cut. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
