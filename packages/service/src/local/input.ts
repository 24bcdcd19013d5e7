import { createReadStream, fstatSync, openSync, type Stats } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { explain } from '../complaint.ts'

/** Large enough that asking for the next chunk costs nothing beside working on one. */
const CHUNK_BYTES = 262_144

/** Something to read: a FILE, or standard input. */
export interface Input {
  /** How messages call it. */
  readonly name: string
  readonly stats: Stats
  readonly fd: number
  readonly isGzip: boolean
  /** Bytes read so far, as they lie on disk. */
  readBytes(): number
  chunks(): AsyncIterable<Uint8Array>
}

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
    return new OpenInput(name, fd, stats)
  } catch (fault) {
    throw explain(fault, name)
  }
}

class OpenInput implements Input {
  readonly name: string
  readonly fd: number
  readonly stats: Stats
  readonly isGzip: boolean
  #readBytes = 0

  constructor(name: string, fd: number, stats: Stats) {
    this.name = name
    this.fd = fd
    this.stats = stats
    this.isGzip = name.endsWith('.gz')
  }

  readBytes(): number {
    return this.#readBytes
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.isGzip ? this.#unpacked() : this.#raw()
    } catch (fault) {
      throw explain(fault, this.name)
    }
  }

  async *#raw(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#source()) {
      const bytes = chunk as Uint8Array
      this.#readBytes += bytes.length
      yield bytes
    }
  }

  async *#unpacked(): AsyncGenerator<Uint8Array> {
    const source = this.#source()
    const unpacked = createGunzip({ chunkSize: CHUNK_BYTES })
    source.on('data', (chunk: Uint8Array) => {
      this.#readBytes += chunk.length
    })
    source.on('error', (fault) => unpacked.destroy(fault))
    for await (const chunk of source.pipe(unpacked)) yield chunk as Uint8Array
  }

  /** A pipe or a terminal is read through the event loop: a thread that waits for it would hold up the exit. */
  #source(): NodeJS.ReadableStream {
    if (this.fd === 0 && !this.stats.isFile()) return process.stdin
    return createReadStream('', { fd: this.fd, highWaterMark: CHUNK_BYTES, autoClose: this.fd !== 0 })
  }
}
