import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Spill } from '@keepfirst/engine/stream'
import { explain, UserError } from './errors.ts'

/** Part 0 gets most of the bytes; there are many other parts, and each has its own buffer. */
const BULK_BLOCK_BYTES = 262_144
const BLOCK_BYTES = 8_192

interface Part {
  /** Positions of its full blocks in the file. */
  readonly blocks: number[]
  readonly buffer: Uint8Array
  used: number
}

/**
 * Keeps bytes in a private file in TMPDIR, created on first use. Where the system allows it, the file is unlinked as
 * soon as it is open, so nothing is left behind however the process ends.
 */
export class TemporarySpill implements Spill {
  readonly #parts = new Map<number, Part>()
  #fd: number | undefined
  #path: string | undefined
  #fileBytes = 0

  /** @throws UserError when the file cannot be created or written */
  write(part: number, bytes: Uint8Array): void {
    const to = this.#part(part)
    if (bytes.length < to.buffer.length - to.used) {
      to.buffer.set(bytes, to.used)
      to.used += bytes.length
      return
    }
    for (let done = 0; done < bytes.length; ) {
      const taken = bytes.subarray(done, done + to.buffer.length - to.used)
      to.buffer.set(taken, to.used)
      to.used += taken.length
      done += taken.length
      if (to.used < to.buffer.length) continue
      to.blocks.push(this.#append(to.buffer))
      to.used = 0
    }
  }

  /** @throws UserError when the file cannot be read */
  *read(part: number): Generator<Uint8Array> {
    const { blocks, buffer, used } = this.#part(part)
    for (const place of blocks) yield this.#block(place, buffer.length)
    yield buffer.subarray(0, used)
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    if (this.#path !== undefined) rmSync(this.#path, { force: true })
    this.#fd = this.#path = undefined
  }

  #part(number: number): Part {
    const known = this.#parts.get(number)
    if (known) return known
    const part = { blocks: [], buffer: new Uint8Array(number === 0 ? BULK_BLOCK_BYTES : BLOCK_BYTES), used: 0 }
    this.#parts.set(number, part)
    return part
  }

  #append(block: Uint8Array): number {
    const place = this.#fileBytes
    try {
      const fd = this.#open()
      for (let done = 0; done < block.length; ) {
        done += writeSync(fd, block, done, block.length - done, place + done)
      }
    } catch (error) {
      throw explainTemporary(error)
    }
    this.#fileBytes += block.length
    return place
  }

  #block(place: number, bytes: number): Uint8Array {
    const block = new Uint8Array(bytes)
    try {
      const fd = this.#open()
      for (let done = 0; done < bytes; ) {
        const read = readSync(fd, block, done, bytes - done, place + done)
        if (read === 0) throw new RangeError('a temporary file is truncated')
        done += read
      }
    } catch (error) {
      throw explainTemporary(error)
    }
    return block
  }

  #open(): number {
    if (this.#fd !== undefined) return this.#fd
    const path = join(tmpdir(), `keepfirst-${randomBytes(8).toString('hex')}`)
    const fd = openSync(path, 'wx+', 0o600)
    this.#fd = fd
    try {
      rmSync(path)
    } catch {
      // Some systems keep the name of an open file: `close` removes it.
      this.#path = path
    }
    return fd
  }
}

function explainTemporary(error: unknown): unknown {
  const explained = explain(error, `temporary files in ${tmpdir()}`)
  if (!(explained instanceof UserError)) return explained
  return new UserError(`${explained.message}; set TMPDIR to another folder, or use a larger --memory`)
}
