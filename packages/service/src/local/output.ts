import { once } from 'node:events'
import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, type Stats, writeSync } from 'node:fs'
import { createGzip, type Gzip } from 'node:zlib'
import { codeOf, explain, Failure } from './failure.ts'

const BUFFER_BYTES = 262_144
const RETRY_MS = 5
const STANDARD_OUTPUT = 1

/** A file that is in use, and what for. */
export interface Taken {
  stats: Stats
  use: string
}

/** Whoever reads standard output has gone: the work ends without a word. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone'
}

/** Somewhere to write: a file, standard output, or a file in gzip form. */
export class Output {
  readonly name: string
  readonly fd: number
  readonly #buffer = new Uint8Array(BUFFER_BYTES)
  #used = 0
  readonly #gzip: Gzip | undefined
  #fault: unknown

  constructor(name: string, fd: number, isGzip: boolean) {
    this.name = name
    this.fd = fd
    if (isGzip) {
      this.#gzip = createGzip({ chunkSize: BUFFER_BYTES })
      this.#gzip.on('data', (packed: Uint8Array) => this.#guarded(() => this.#writeOut(packed)))
    }
  }

  taken(): Taken {
    return { stats: fstatSync(this.fd), use: 'the output' }
  }

  /** Takes the bytes in; they may change once it returns. */
  write(bytes: Uint8Array): void {
    if (bytes.length > this.#buffer.length - this.#used) this.#flush()
    if (bytes.length > this.#buffer.length) {
      this.#pass(this.#gzip ? bytes.slice() : bytes)
      return
    }
    this.#buffer.set(bytes, this.#used)
    this.#used += bytes.length
  }

  /** Sends on what was written, and waits until a packer has taken it. Throws `Failure` and `ReaderGone`. */
  async settle(): Promise<void> {
    this.#flush()
    if (this.#gzip?.writableNeedDrain) await once(this.#gzip, 'drain')
    if (this.#fault) throw this.#fault
  }

  /** Writes all that is left and closes the file, on disk for certain with `durable`. Throws `Failure`, `ReaderGone`. */
  async close(durable = false): Promise<void> {
    this.#flush()
    if (this.#gzip) {
      this.#gzip.end()
      await once(this.#gzip, 'end')
    }
    if (this.#fault) throw this.#fault
    try {
      if (durable) fsyncSync(this.fd)
      if (this.fd !== STANDARD_OUTPUT) closeSync(this.fd)
    } catch (fault) {
      throw explain(fault, this.name)
    }
  }

  #flush(): void {
    if (this.#used === 0) return
    const bytes = this.#buffer.subarray(0, this.#used)
    this.#used = 0
    this.#pass(this.#gzip ? bytes.slice() : bytes)
  }

  #pass(bytes: Uint8Array): void {
    if (this.#gzip) this.#gzip.write(bytes)
    else this.#writeOut(bytes)
  }

  #guarded(work: () => void): void {
    try {
      work()
    } catch (fault) {
      this.#fault ??= fault
    }
  }

  #writeOut(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      try {
        done += writeSync(this.fd, bytes, done)
      } catch (fault) {
        const code = codeOf(fault)
        if (code === 'EPIPE') throw new ReaderGone()
        if (code !== 'EAGAIN') throw explain(fault, this.name)
        // The other end set the pipe to non-blocking: wait until it has read something.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
      }
    }
  }
}

/**
 * Opens FILE for writing, anew; standard output without one. Never a file that is `taken`: an input, another output.
 * Throws `Failure`.
 */
export function openOutput(file: string | undefined, taken: readonly Taken[]): Output {
  const isStandard = file === undefined || file === '-'
  const name = isStandard ? 'standard output' : file
  try {
    // Emptied only once it is known to be no input.
    const fd = isStandard ? STANDARD_OUTPUT : openSync(file, constants.O_WRONLY | constants.O_CREAT)
    const stats = fstatSync(fd)
    const other = taken.find((one) => stats.isFile() && isSameFile(one.stats, stats))
    if (other) throw new Failure(`${name}: is ${other.use} as well`)
    if (!isStandard && stats.isFile()) ftruncateSync(fd)
    return new Output(name, fd, !isStandard && file.endsWith('.gz'))
  } catch (fault) {
    throw explain(fault, name)
  }
}

function isSameFile(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino
}
