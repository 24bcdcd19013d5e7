import { once } from 'node:events'
import { closeSync, fsyncSync } from 'node:fs'
import { isatty } from 'node:tty'
import { createGzip, type Gzip } from 'node:zlib'
import { explain } from './errors.ts'
import { STANDARD_ERROR, writeAll } from './print.ts'

const BUFFER_BYTES = 262_144
/** The memory limit for held-back output; once it is exceeded, the output is released. */
const HELD_BYTES = 64 * 1_048_576

/** A file descriptor to write to, with gzip compression on request. */
export class Output {
  readonly name: string
  readonly #fd: number
  readonly #gzip: Gzip | undefined
  #buffer = new Uint8Array(BUFFER_BYTES)
  #used = 0
  #isHeld = false
  #error: unknown

  constructor(name: string, fd: number, isGzip: boolean) {
    this.name = name
    this.#fd = fd
    if (isGzip) {
      this.#gzip = createGzip({ chunkSize: BUFFER_BYTES })
      this.#gzip.on('data', (packed: Uint8Array) => this.#writePacked(packed))
    }
  }

  get isTerminal(): boolean {
    return isatty(this.#fd)
  }

  /** Holds everything back until `release`. */
  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
  }

  /** What is being held back. */
  get held(): Uint8Array {
    return this.#buffer.subarray(0, this.#used)
  }

  /**
   * Accepts bytes; the caller may reuse the buffer afterwards.
   * @throws UserError when writing fails
   * @throws BrokenPipe when the output has been closed
   */
  write(bytes: Uint8Array): void {
    if (bytes.length > this.#buffer.length - this.#used) this.#makeRoom(bytes.length)
    if (bytes.length > this.#buffer.length) {
      this.#pass(bytes)
    } else {
      this.#buffer.set(bytes, this.#used)
      this.#used += bytes.length
    }
  }

  /**
   * Flushes what was written and waits until the compressor has accepted it.
   * @throws UserError when writing fails
   * @throws BrokenPipe when the output has been closed
   */
  async settle(): Promise<void> {
    if (!this.#isHeld) this.#flush()
    if (this.#gzip?.writableNeedDrain) await once(this.#gzip, 'drain')
    if (this.#error) throw this.#error
  }

  /**
   * Writes what remains and closes the descriptor, unless it was inherited.
   * @param isDurable whether the bytes must be on disk on return
   * @throws UserError when writing fails
   * @throws BrokenPipe when the output has been closed
   */
  async close(isDurable = false): Promise<void> {
    this.#flush()
    if (this.#gzip) {
      this.#gzip.end()
      await once(this.#gzip, 'end')
    }
    if (this.#error) throw this.#error
    try {
      if (isDurable) fsyncSync(this.#fd)
      if (this.#fd > STANDARD_ERROR) closeSync(this.#fd)
    } catch (error) {
      throw explain(error, this.name)
    }
  }

  #makeRoom(bytes: number): void {
    const needed = this.#used + bytes
    if (!this.#isHeld || needed > HELD_BYTES) {
      this.#flush()
      return
    }
    const larger = new Uint8Array(Math.max(needed, 2 * this.#buffer.length))
    larger.set(this.held)
    this.#buffer = larger
  }

  #flush(): void {
    if (this.#used === 0) return
    this.#pass(this.held)
    this.#used = 0
  }

  #pass(bytes: Uint8Array): void {
    // The compressor reads the bytes after this call has returned.
    if (this.#gzip) this.#gzip.write(bytes.slice())
    else writeAll(this.#fd, this.name, bytes)
  }

  /** Nobody could catch an error here, so the next call throws it. */
  #writePacked(packed: Uint8Array): void {
    try {
      writeAll(this.#fd, this.name, packed)
    } catch (error) {
      this.#error ??= error
    }
  }
}
