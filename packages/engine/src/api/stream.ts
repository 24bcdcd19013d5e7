import { seedWord } from '../core/seed.ts'
import { JSON_ITEMS, type JsonOptions } from '../modes/json.ts'
import { LINES, type LinesOptions } from '../modes/lines.ts'
import { GivenOptions } from '../modes/options.ts'
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
import { checkedBytes } from './bytes.ts'
import { ownSeed } from './seed.ts'

/** Settings that all three kinds of stream share. */
export interface StreamSettings {
  /**
   * Keep the keys and compare them byte by byte. Otherwise two different keys count as equal with a probability of
   * 2^-128.
   */
  readonly exact?: boolean
}

/** Opens the deduplicator that the bytes of a stream pass through. */
type Open = (stream: StreamOptions) => Sifting | Promise<Sifting>

/**
 * A byte stream that removes duplicates from one file; survivors keep their exact bytes. A final line break ends the
 * last line. Only the memory for distinct keys grows.
 */
export class DedupeStream extends TransformStream<Uint8Array, Uint8Array> {
  readonly #work: { sifting: Sifting | undefined }

  /** @throws TypeError when a setting's value is not permitted */
  constructor(open: Open, settings: StreamSettings) {
    const exact = new GivenOptions(settings).boolean('exact', false)
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
        work.sifting?.push(checkedBytes(bytes, 'a chunk must be a Uint8Array'))
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

/**
 * For the lines of a file.
 * @throws TypeError when an option's value is not permitted
 */
export function linesStream(options: LinesOptions & StreamSettings = {}): DedupeStream {
  const { options: all } = LINES.ask(options)
  return new DedupeStream((stream) => siftLines(all, stream), options)
}

/**
 * For the rows of a CSV file. With `fuzzy` the whole input is held in memory, and the matcher is loaded first.
 * @throws TypeError when an option's value is not permitted
 */
export function rowsStream(options: RowsOptions & StreamSettings = {}): DedupeStream {
  const { options: all } = ROWS.ask(options)
  return new DedupeStream((stream) => (all.fuzzy ? openFuzzyRows(all, stream) : siftRows(all, stream)), options)
}

/**
 * For a JSON array, or one JSON value per line. Fails with `NotJson` when the input is neither.
 * @throws TypeError when an option's value is not permitted
 */
export function jsonStream(options: JsonOptions & StreamSettings = {}): DedupeStream {
  const { options: all } = JSON_ITEMS.ask(options)
  return new DedupeStream((stream) => siftJson({ ...all, isLines: false }, stream), options)
}

async function openFuzzyRows(
  { threshold, ...options }: Required<RowsOptions>,
  stream: StreamOptions,
): Promise<Sifting> {
  const { judgeFuzzy } = await import('../fuzzy/index.ts')
  const judgeKeys = (keys: readonly string[]) => judgeFuzzy(keys, threshold, undefined, seedWord(ownSeed()))
  return siftFuzzyRows({ ...options, judgeKeys }, stream)
}
