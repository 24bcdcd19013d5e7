import { ITEMS_PER_BATCH } from '../core/space.ts'
import type { Question } from '../modes/index.ts'
import { StreamDeduplicator } from '../stream/stream-deduplicator.ts'
import { type OpenedList, openList, processSource, type ReadingOptions } from './list.ts'
import type { Source } from './source.ts'

interface Known {
  readonly readingOptions: ReadingOptions
  /** The survivor of each entry. */
  readonly survivorOf: Int32Array
}

/** The survivors of a judged list, in pieces: the source is split once more. */
export async function* resultOf(
  source: Source,
  question: Question,
  { readingOptions, survivorOf }: Known,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const list = openList(question, { ...readingOptions, onHeader: () => {} })
  const { space, window, splitter } = list
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const writer = readingOptions.form === 'api' ? new ResultWriter(list, pieces) : undefined
  const survivors = space.allocate(4 * ITEMS_PER_BATCH)
  const sink = {
    kept: (bytes: Uint8Array): void => {
      if (!writer) pieces.push(bytes.slice())
    },
    header: (): void => writer?.write(1),
  }
  const judge = (count: number, position: number): void => {
    // Lines are trimmed when their keys are set.
    if (question.mode === 'lines') splitter.setKeys(count)
    new Int32Array(space.bytes.buffer, survivors, count).set(survivorOf.subarray(position, position + count))
    space.kernel.decide(space.items, count, position, survivors)
    writer?.write(count)
  }
  const deduplicator = new StreamDeduplicator(window, splitter, { sink, judge })
  writer?.begin()
  for await (const _ of processSource(source, list, { deduplicator, readingOptions })) yield* pieces.splice(0)
  writer?.end()
  yield* pieces.splice(0)
}

const encoder = new TextEncoder()

/** Writes the API's `result`. */
class ResultWriter {
  readonly #list: OpenedList
  readonly #pieces: Uint8Array<ArrayBuffer>[]
  readonly #separator: Uint8Array<ArrayBuffer>
  #isFirst = true

  constructor(list: OpenedList, pieces: Uint8Array<ArrayBuffer>[]) {
    this.#list = list
    this.#pieces = pieces
    this.#separator = encoder.encode(list.writing.separator)
  }

  begin(): void {
    this.#pieces.push(encoder.encode(this.#list.writing.opening))
  }

  end(): void {
    this.#pieces.push(encoder.encode(this.#list.writing.closing))
  }

  /** Writes the survivors among the first `count` items of the space. */
  write(count: number): void {
    const { space, window, writing } = this.#list
    const end = writing.write(count, window.out) >>> 0
    if (end === window.out) return
    // Each survivor comes with a separator after it, which is only needed between survivors.
    if (!this.#isFirst) this.#pieces.push(this.#separator)
    this.#isFirst = false
    this.#pieces.push(space.bytes.slice(window.out, end - this.#separator.length))
  }
}
