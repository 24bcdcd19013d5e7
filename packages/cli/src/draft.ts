import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { removeOnExit } from './cleanup.ts'
import { codeOf, explain, UserError } from './errors.ts'
import { Output } from './output.ts'
import { writeAll } from './print.ts'

const PRIVATE_MODE = 0o600
const PUBLIC_MODE = 0o666
const COPY_BYTES = 1_048_576
/** A file name may have 255 bytes; the draft's own suffix takes 14 of them. */
const KEPT_NAME_LENGTH = 60

/**
 * Why a folder does not let a file be created in it or renamed: no permission, a read-only or other file system, or a
 * file that is a mount point.
 */
const FOLDER_REFUSES: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS', 'EXDEV', 'EBUSY'])

/**
 * Replaces a file atomically: the new content is written beside it, synced to disk, then renamed over it. Permissions
 * and owner are preserved. Where a rename could not preserve everything (hard links, an owner that only root can set),
 * or is refused (a read-only folder, a mount point), the bytes are copied into the existing file at the end instead.
 */
export class Draft {
  readonly output: Output
  readonly #name: string
  readonly #path: string
  readonly #stats: Stats | undefined
  readonly #draft: string
  readonly #isBeside: boolean
  readonly #cancelRemoval: () => void
  /** Copying into the file failed halfway: the draft now holds the only copy of the bytes. */
  #isKept = false

  /**
   * @param name the file's name in messages
   * @param file its path with links resolved, and its current state if it exists
   * @throws UserError when the draft cannot be created
   */
  constructor(name: string, file: { path: string; stats: Stats | undefined }, isGzip: boolean) {
    this.#name = name
    this.#path = file.path
    this.#stats = file.stats
    try {
      if (file.stats) accessSync(file.path, constants.W_OK)
      const { path, fd, isBeside } = openDraft(file)
      this.#draft = path
      this.#isBeside = isBeside
      this.#cancelRemoval = removeOnExit(path)
      this.output = new Output(name, fd, isGzip)
    } catch (error) {
      throw explain(error, name)
    }
  }

  /**
   * Writes everything that remains, so that only the replacement itself is left to do.
   * @throws UserError when writing fails
   */
  async finish(): Promise<void> {
    await this.output.close(this.#stats !== undefined)
  }

  /**
   * Replaces the file.
   * @throws UserError when that fails; the file is then unchanged
   */
  commit(): void {
    try {
      if (this.#copyAttributes() && this.#rename()) syncFolder(dirname(this.#path))
      else this.#copyInto()
    } catch (error) {
      throw explain(error, this.#name)
    }
    this.discard()
  }

  /**
   * Checks that the file has not changed since it was read.
   * @throws UserError when it has
   */
  checkUnchanged({ size, mtimeMs }: Stats): void {
    const now = statSync(this.#path, { throwIfNoEntry: false })
    if (now?.size !== size || now.mtimeMs !== mtimeMs) {
      throw new UserError(`${this.#name}: changed while it was read; nothing was replaced`)
    }
  }

  /** Removes every trace of the draft. */
  discard(): void {
    if (this.#isKept) return
    rmSync(this.#draft, { force: true })
    this.#cancelRemoval()
  }

  /** Gives the draft the owner and permissions of the file. Returns false when a rename could not preserve everything. */
  #copyAttributes(): boolean {
    if (!this.#stats) return true
    const { nlink, uid, gid, mode } = this.#stats
    if (!this.#isBeside || nlink > 1 || !setOwner(this.#draft, uid, gid)) return false
    chmodSync(this.#draft, mode & 0o7777)
    return true
  }

  /** Returns false when the folder refuses that, and the file exists, so that the bytes can be copied into it. */
  #rename(): boolean {
    try {
      renameSync(this.#draft, this.#path)
      return true
    } catch (error) {
      if (!this.#stats || !FOLDER_REFUSES.has(codeOf(error))) throw error
      return false
    }
  }

  /** Not atomic, but only a crash can interrupt it, and then the draft still holds the bytes. */
  #copyInto(): void {
    const from = openSync(this.#draft, 'r')
    const to = openSync(this.#path, 'r+')
    try {
      const buffer = new Uint8Array(COPY_BYTES)
      let total = 0
      for (let read = -1; read !== 0; total += read) {
        read = readSync(from, buffer)
        writeAll(to, this.#name, buffer.subarray(0, read))
      }
      ftruncateSync(to, total)
      fsyncSync(to)
    } catch (error) {
      this.#cancelRemoval()
      this.#isKept = true
      const explained = explain(error, this.#name)
      if (!(explained instanceof UserError)) throw error
      throw new UserError(`${explained.message}; the new content is in ${this.#draft}`)
    } finally {
      closeSync(from)
      closeSync(to)
    }
  }
}

function openDraft({ path, stats }: { path: string; stats: Stats | undefined }): {
  path: string
  fd: number
  isBeside: boolean
} {
  const name = `.${basename(path).slice(0, KEPT_NAME_LENGTH)}.${randomBytes(6).toString('hex')}`
  const beside = join(dirname(path), name)
  try {
    return { path: beside, fd: openSync(beside, 'wx', stats ? PRIVATE_MODE : PUBLIC_MODE), isBeside: true }
  } catch (error) {
    if (!stats || !FOLDER_REFUSES.has(codeOf(error))) throw error
  }
  const elsewhere = join(tmpdir(), name)
  return { path: elsewhere, fd: openSync(elsewhere, 'wx', PRIVATE_MODE), isBeside: false }
}

/** Sets a file's owner. Returns false when the system refuses that, as it does to all but root. */
function setOwner(file: string, uid: number, gid: number): boolean {
  try {
    chownSync(file, uid, gid)
    return true
  } catch {
    return false
  }
}

/** Makes the rename itself survive a power cut, where the folder may be opened and its file system can do that. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (codeOf(error) === 'EIO') throw error
  }
}
