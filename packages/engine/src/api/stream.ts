import { seedWord } from '../core/seed.ts'
import { JSON_ITEMS, type JsonOptions } from '../modes/json.ts'
import { LINES, type LinesOptions } from '../modes/lines.ts'
import { ROWS, type RowsOptions } from '../modes/rows.ts'
import {
  type Sifting,
  type Sink,
  type StreamOptions,
  siftFuzzyRows,
  siftJson,
  siftLines,
  siftRows,
} from '../stream/index.ts'
import { ownSeed } from './seed.ts'

/** Settings that all three kinds of stream share. */
export interface StreamSettings {
  /**
   * Keep the keys and compare them byte by byte. Otherwise two different keys count as equal with a probability of
   * 2^-128.
   */
  exact?: boolean
}

/** Opens the deduplicator that the bytes of a stream pass through. */
type Open = (stream: StreamOptions) => Sifting | Promise<Sifting>

/**
 * A byte stream that removes duplicates from one file; survivors keep their exact bytes. A final line break ends the
 * last line. Only the memory for distinct keys grows.
 */
export class DedupeStream extends TransformStream<Uint8Array, Uint8Array> {
  readonly #work: { sifting: Sifting | undefined }

  constructor(open: Open, { exact = false }: StreamSettings) {
    const work: { sifting: Sifting | undefined } = { sifting: undefined }
    let pieces: Uint8Array[] = []
    const sink: Sink = { kept: (bytes) => void pieces.push(bytes.slice()) }
    const passOn = (controller: { enqueue(piece: Uint8Array): void }): void => {
      for (const piece of pieces) controller.enqueue(piece)
      pieces = []
    }
    super({
      start: async () => {
        work.sifting = await open({ sink, random: ownSeed(), exact })
      },
      transform: (bytes, controller) => {
        work.sifting?.push(bytes)
        passOn(controller)
      },
      flush: (controller) => {
        work.sifting?.endFile()
        work.sifting?.end()
        passOn(controller)
      },
    })
    this.#work = work
  }

  /** Survivors so far. */
  get kept(): number {
    return this.#work.sifting?.kept ?? 0
  }

  /** Duplicates so far. */
  get removed(): number {
    return this.#work.sifting?.removed ?? 0
  }
}

/** For the lines of a file. */
export function linesStream(options: LinesOptions & StreamSettings = {}): DedupeStream {
  return new DedupeStream((stream) => siftLines({ ...LINES.defaults, ...options }, stream), options)
}

/** For the rows of a CSV file. With `fuzzy` the whole input is held in memory, and the matcher is loaded first. */
export function rowsStream(options: RowsOptions & StreamSettings = {}): DedupeStream {
  const all = { ...ROWS.defaults, ...options }
  return new DedupeStream((stream) => (all.fuzzy ? openFuzzyRows(all, stream) : siftRows(all, stream)), options)
}

/** For a JSON array, or one JSON value per line. Fails with `NotJson` when the input is neither. */
export function jsonStream(options: JsonOptions & StreamSettings = {}): DedupeStream {
  return new DedupeStream((stream) => siftJson({ ...JSON_ITEMS.defaults, ...options, isLines: false }, stream), options)
}

async function openFuzzyRows(
  { threshold, ...options }: Required<RowsOptions>,
  stream: StreamOptions,
): Promise<Sifting> {
  const { judgeFuzzy } = await import('../fuzzy/index.ts')
  const judgeKeys = (keys: readonly string[]) => judgeFuzzy(keys, threshold, undefined, seedWord(ownSeed()))
  return siftFuzzyRows({ ...options, judgeKeys }, stream)
}
