import { createReadStream, fstatSync, openSync, type ReadStream, readSync, type Stats } from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { explain, UserError } from './errors.ts'
import { type Format, formatOf, HEAD_BYTES } from './formats.ts'
import { shellWord } from './shell-word.ts'

/** Large enough that asking for the next chunk costs nothing beside working on one. */
const CHUNK_BYTES = 262_144

/**
 * Opens FILEs in their order, standard input for none of them and for `-`.
 * @param command what reads them, as it is typed: messages show it
 * @throws UserError also when a file's first bytes tell that it is not text
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
  } catch (fault) {
    throw explain(fault, name)
  }
}

interface Opened {
  file: string
  name: string
  fd: number
  stats: Stats
  command: string
}

type Source = ReadStream | typeof process.stdin

/** Something to read: a FILE, or standard input. */
export class Input {
  /** How messages call it. */
  readonly name: string
  readonly stats: Stats
  /** Of a file that can be looked into before it is read; of anything else not before its first bytes have come. */
  readonly isGzip: boolean
  readonly #opened: Opened
  #source: Source | undefined

  constructor(opened: Opened) {
    this.#opened = opened
    this.name = opened.name
    this.stats = opened.stats
    this.isGzip = opened.file !== '-' && opened.stats.isFile() && this.#isPacked(headOf(opened.fd))
  }

  /** What came so far, as it lies on disk. */
  get readBytes(): number {
    return this.#source?.bytesRead ?? 0
  }

  /** The bytes, unpacked where they were packed. @throws UserError */
  async *chunks(): AsyncGenerator<Uint8Array> {
    this.#source = this.#open()
    try {
      const { format, all } = await readHead(this.#source)
      if (!this.#isGzip(format)) return yield* all
      const unpacked = await readHead(unpack(all))
      this.#refuseTwicePacked(unpacked.format)
      yield* unpacked.all
    } catch (fault) {
      throw explain(fault, this.name)
    }
  }

  /** A pipe or a terminal is read through the event loop: a thread that waits for it would hold up the exit. */
  #open(): Source {
    const { fd, stats } = this.#opened
    if (fd === 0 && !stats.isFile()) return process.stdin
    return createReadStream('', { fd, highWaterMark: CHUNK_BYTES, autoClose: fd !== 0 })
  }

  #isPacked(head: Uint8Array): boolean {
    const format = formatOf(head, true)
    return format !== undefined && this.#isGzip(format)
  }

  /** @throws UserError for what cannot be read */
  #isGzip(format: Format): boolean {
    if (format.kind === 'unreadable') throw this.#refusal(format)
    return format.kind === 'gzip'
  }

  #refuseTwicePacked(format: Format): void {
    if (format.kind === 'gzip') throw this.#refusal({ kind: 'unreadable', is: 'is packed by gzip twice', filter: '' })
    if (format.kind === 'unreadable') throw this.#refusal(format, 'gzip -dc')
  }

  /** One line that ends in the command that helps. */
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

/** A regular file's first bytes; reading goes on from where it was. */
function headOf(fd: number): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES)
  return head.subarray(0, readSync(fd, head, 0, HEAD_BYTES, 0))
}

/** Reads just enough to tell the format; `all` gives everything, what was read included. */
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
  source.on('error', (fault) => gunzip.destroy(fault))
  return source.pipe(gunzip)
}
