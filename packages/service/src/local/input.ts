import { createReadStream, fstatSync, openSync, type ReadStream, type Stats } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { explain } from '../complaint.ts'

/** Large enough that asking for the next chunk costs nothing beside working on one. */
const CHUNK_BYTES = 262_144

/** Opens FILEs in their order, standard input for none of them and for `-`. Throws `Complaint`. */
export function openInputs(files: readonly string[]): Input[] {
  return (files.length === 0 ? ['-'] : files).map(openInput)
}

function openInput(file: string): Input {
  const name = file === '-' ? 'standard input' : file
  try {
    const fd = file === '-' ? 0 : openSync(file, 'r')
    const stats = fstatSync(fd)
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    return new Input(name, fd, stats)
  } catch (fault) {
    throw explain(fault, name)
  }
}

type Source = ReadStream | typeof process.stdin

/** Something to read: a FILE, or standard input. */
export class Input {
  /** How messages call it. */
  readonly name: string
  readonly stats: Stats
  readonly isGzip: boolean
  readonly #fd: number
  #source: Source | undefined

  constructor(name: string, fd: number, stats: Stats) {
    this.name = name
    this.stats = stats
    this.isGzip = name.endsWith('.gz')
    this.#fd = fd
  }

  /** What came so far, as it lies on disk. */
  get readBytes(): number {
    return this.#source?.bytesRead ?? 0
  }

  /** Throws `Complaint`. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    this.#source = this.#open()
    try {
      yield* this.isGzip ? unpacked(this.#source) : this.#source
    } catch (fault) {
      throw explain(fault, this.name)
    }
  }

  /** A pipe or a terminal is read through the event loop: a thread that waits for it would hold up the exit. */
  #open(): Source {
    if (this.#fd === 0 && !this.stats.isFile()) return process.stdin
    return createReadStream('', { fd: this.#fd, highWaterMark: CHUNK_BYTES, autoClose: this.#fd !== 0 })
  }
}

function unpacked(source: Readable): Readable {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  source.on('error', (fault) => gunzip.destroy(fault))
  return source.pipe(gunzip)
}
