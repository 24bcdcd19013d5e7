import { once } from 'node:events'
import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, type Stats } from 'node:fs'
import { createGzip, type Gzip } from 'node:zlib'
import { Complaint, explain } from '../complaint.ts'
import { STANDARD_OUTPUT, writeAll } from '../print.ts'

const BUFFER_BYTES = 262_144

/** A file that is in use, and what for. */
export interface Taken {
  stats: Stats
  use: string
}

/** Somewhere to write: a file, standard output, or a file in gzip form. */
export class Output {
  readonly name: string
  readonly #fd: number
  readonly #buffer = new Uint8Array(BUFFER_BYTES)
  #used = 0
  readonly #gzip: Gzip | undefined
  #fault: unknown

  constructor(name: string, fd: number, isGzip: boolean) {
    this.name = name
    this.#fd = fd
    if (isGzip) {
      this.#gzip = createGzip({ chunkSize: BUFFER_BYTES })
      this.#gzip.on('data', (packed: Uint8Array) => this.#writePacked(packed))
    }
  }

  taken(): Taken {
    return { stats: fstatSync(this.#fd), use: 'the output' }
  }

  /** Takes the bytes in; they may change once it returns. */
  write(bytes: Uint8Array): void {
    if (bytes.length > this.#buffer.length - this.#used) this.#flush()
    if (bytes.length > this.#buffer.length) {
      this.#pass(bytes)
    } else {
      this.#buffer.set(bytes, this.#used)
      this.#used += bytes.length
    }
  }

  /** Sends on what was written, and waits until a packer has taken it. Throws `Complaint` and `ReaderGone`. */
  async settle(): Promise<void> {
    this.#flush()
    if (this.#gzip?.writableNeedDrain) await once(this.#gzip, 'drain')
    if (this.#fault) throw this.#fault
  }

  /** Writes all that is left and closes the file, on disk for certain with `durable`. Throws `Complaint`, `ReaderGone`. */
  async close(durable = false): Promise<void> {
    this.#flush()
    if (this.#gzip) {
      this.#gzip.end()
      await once(this.#gzip, 'end')
    }
    if (this.#fault) throw this.#fault
    try {
      if (durable) fsyncSync(this.#fd)
      if (this.#fd !== STANDARD_OUTPUT) closeSync(this.#fd)
    } catch (fault) {
      throw explain(fault, this.name)
    }
  }

  #flush(): void {
    if (this.#used === 0) return
    this.#pass(this.#buffer.subarray(0, this.#used))
    this.#used = 0
  }

  #pass(bytes: Uint8Array): void {
    // A packer takes bytes in later than it is given them.
    if (this.#gzip) this.#gzip.write(bytes.slice())
    else writeAll(this.#fd, this.name, bytes)
  }

  /** Nobody would catch here what is thrown: the next call tells. */
  #writePacked(packed: Uint8Array): void {
    try {
      writeAll(this.#fd, this.name, packed)
    } catch (fault) {
      this.#fault ??= fault
    }
  }
}

/**
 * Opens FILE for writing, anew; standard output without one. Never a file that is `taken`: an input, another output.
 * Throws `Complaint`.
 */
export function openOutput(file: string | undefined, taken: readonly Taken[]): Output {
  const isStandard = file === undefined || file === '-'
  const name = isStandard ? 'standard output' : file
  try {
    // Emptied only once it is known to be no input.
    const fd = isStandard ? STANDARD_OUTPUT : openSync(file, constants.O_WRONLY | constants.O_CREAT)
    const stats = fstatSync(fd)
    const isExclusive = stats.isFile() || stats.isFIFO() // a terminal or /dev/null takes anything
    const other = taken.find((one) => isExclusive && isSameFile(one.stats, stats))
    if (other) throw new Complaint(`${name}: is ${other.use} as well`)
    if (!isStandard && stats.isFile()) ftruncateSync(fd)
    return new Output(name, fd, !isStandard && file.endsWith('.gz'))
  } catch (fault) {
    throw explain(fault, name)
  }
}

function isSameFile(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino
}
