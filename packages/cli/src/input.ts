import { createReadStream, fstatSync, openSync, type ReadStream, readSync, type Stats } from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { shellWord } from '@keepfirst/protocol'
import { explain, UserError } from './errors.ts'
import { type Format, formatOf, HEAD_BYTES } from './formats.ts'

/** Large enough that the cost of fetching a chunk is small compared with the work on it. */
const CHUNK_BYTES = 262_144

/**
 * Opens the FILEs in order; `-`, or no FILE at all, means standard input.
 * @param command the command line that reads them, for use in messages
 * @throws UserError when a file cannot be opened, or its first bytes show that it is not text
 */
export function openInputs(files: readonly string[], command: string): Input[] {
  return (files.length === 0 ? ['-'] : files).map((file) => openInput(file, command))
}

function openInput(file: string, command: string): Input {
  const name = file === '-' ? 'standard input' : file
  try {
    const fd = file === '-' ? 0 : openSync(file, 'r')
    const stats = fstatSync(fd)
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    return new Input({ file, name, fd, stats, command })
  } catch (error) {
    throw explain(error, name)
  }
}

interface Opened {
  readonly file: string
  readonly name: string
  readonly fd: number
  readonly stats: Stats
  readonly command: string
}

type Source = ReadStream | typeof process.stdin

/** An input: a FILE or standard input. */
export class Input {
  /** Its name in messages. */
  readonly name: string
  readonly stats: Stats
  /** Known at once for a regular file; for anything else only after its first bytes have arrived. */
  readonly isGzip: boolean
  readonly #opened: Opened
  #source: Source | undefined

  constructor(opened: Opened) {
    this.#opened = opened
    this.name = opened.name
    this.stats = opened.stats
    this.isGzip = opened.file !== '-' && opened.stats.isFile() && this.#isPacked(headOf(opened.fd))
  }

  /** Bytes read so far, counted as stored (before unpacking). */
  get readBytes(): number {
    return this.#source?.bytesRead ?? 0
  }

  /**
   * The content, unpacked if it was packed.
   * @throws UserError when reading or unpacking fails
   */
  async *chunks(): AsyncGenerator<Uint8Array> {
    this.#source = this.#open()
    try {
      const { format, all } = await readHead(this.#source)
      if (!this.#isGzip(format)) return yield* all
      const unpacked = await readHead(unpack(all))
      this.#refuseTwicePacked(unpacked.format)
      yield* unpacked.all
    } catch (error) {
      throw explain(error, this.name)
    }
  }

  /** Pipes and terminals are read through the event loop: a thread blocked on one would delay the exit. */
  #open(): Source {
    const { fd, stats } = this.#opened
    if (fd === 0 && !stats.isFile()) return process.stdin
    return createReadStream('', { fd, highWaterMark: CHUNK_BYTES, autoClose: fd !== 0 })
  }

  #isPacked(head: Uint8Array): boolean {
    const format = formatOf(head, true)
    return format !== undefined && this.#isGzip(format)
  }

  /** @throws UserError when the format cannot be read */
  #isGzip(format: Format): boolean {
    if (format.kind === 'unreadable') throw this.#refusal(format)
    return format.kind === 'gzip'
  }

  #refuseTwicePacked(format: Format): void {
    if (format.kind === 'gzip')
      throw this.#refusal({ kind: 'unreadable', is: 'is compressed with gzip twice', filter: '' })
    if (format.kind === 'unreadable') throw this.#refusal(format, 'gzip -dc')
  }

  /** A one-line error that ends with a command that would help. */
  #refusal(format: Format & { kind: 'unreadable' }, unpacker?: string): UserError {
    if ('step' in format) return new UserError(`${this.name}: ${format.is}; ${format.step}`)
    const { file, command } = this.#opened
    const filters = [unpacker, format.filter].filter((filter) => filter !== undefined && filter !== '')
    if (filters.length === 0) filters.push('gzip -dc')
    const [first, ...rest] = filters
    const start = file === '-' ? ['…', first] : [`${first} ${shellWord(file)}`]
    return new UserError(`${this.name}: ${format.is}; try ${[...start, ...rest, command].join(' | ')}`)
  }
}

/** The first bytes of a regular file, read without moving the file position. */
function headOf(fd: number): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES)
  return head.subarray(0, readSync(fd, head, 0, HEAD_BYTES, 0))
}

/** Reads just enough to detect the format. `all` yields the whole input, including the bytes already read. */
async function readHead(
  source: AsyncIterable<Uint8Array>,
): Promise<{ format: Format; all: AsyncGenerator<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* read
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  for (;;) {
    const next = await iterator.next()
    if (!next.done) read.push(next.value)
    const format = formatOf(Buffer.concat(read), next.done === true)
    if (format) return { format, all: all() }
  }
}

function unpack(packed: AsyncGenerator<Uint8Array>): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  const source = Readable.from(packed, { objectMode: false, highWaterMark: CHUNK_BYTES })
  source.on('error', (error) => gunzip.destroy(error))
  return source.pipe(gunzip)
}
