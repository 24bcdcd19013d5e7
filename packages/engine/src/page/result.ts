import type { Question } from '../core/questions.ts'
import { ITEMS_PER_BATCH } from '../core/space.ts'
import { RowsMode } from '../stream/rows.ts'
import { StreamDeduplicator } from '../stream/stream-deduplicator.ts'
import { type List, openList, processSource, type ReadOptions } from './list.ts'
import type { Source } from './source.ts'

interface Known {
  readonly readOptions: ReadOptions
  /** The survivor of each entry. */
  readonly survivorOf: Int32Array
}

/** The survivors of a judged list, in pieces: the source is split once more. */
export async function* resultOf(
  source: Source,
  question: Question,
  { readOptions, survivorOf }: Known,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const list = openList(question, readOptions, () => {})
  const { space, window, mode } = list
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const writer = readOptions.form === 'api' ? new ResultWriter(list, question, pieces) : undefined
  const survivors = space.allocate(4 * ITEMS_PER_BATCH)
  space.openTable({ total: 0, positions: false, exact: false })
  const sink = {
    kept: (bytes: Uint8Array): void => {
      if (!writer) pieces.push(bytes.slice())
    },
    header: (): void => writer?.write(1),
  }
  const judge = (count: number, position: number): void => {
    // Lines are trimmed when their keys are set.
    if (question.mode === 'lines') mode.setKeys(count)
    new Int32Array(space.bytes.buffer, survivors, count).set(survivorOf.subarray(position, position + count))
    space.kernel.decide(space.items, count, position, survivors)
    writer?.write(count)
  }
  const deduplicator = new StreamDeduplicator(window, mode, { sink, judge })
  writer?.begin()
  for await (const _ of processSource(source, list, { deduplicator, readOptions })) yield* pieces.splice(0)
  writer?.end()
  yield* pieces.splice(0)
}

const encoder = new TextEncoder()

/** Writes the API's `result`: lines and rows joined by line feeds, items as an array. */
class ResultWriter {
  readonly #list: List
  readonly #mode: Question['mode']
  readonly #pieces: Uint8Array<ArrayBuffer>[]
  readonly #separator: Uint8Array<ArrayBuffer>
  #isFirst = true

  constructor(list: List, { mode }: Question, pieces: Uint8Array<ArrayBuffer>[]) {
    this.#list = list
    this.#mode = mode
    this.#pieces = pieces
    this.#separator = encoder.encode(mode === 'json' ? ',' : '\n')
  }

  begin(): void {
    if (this.#mode === 'json') this.#pieces.push(encoder.encode('['))
  }

  end(): void {
    if (this.#mode === 'json') this.#pieces.push(encoder.encode(']'))
  }

  /** Writes the survivors among the first `count` items of the space. */
  write(count: number): void {
    const { space, window } = this.#list
    const end = this.#writeItems(count) >>> 0
    if (end === window.out) return
    // Each survivor comes with a separator after it, which is only needed between survivors.
    if (!this.#isFirst) this.#pieces.push(this.#separator)
    this.#isFirst = false
    this.#pieces.push(space.bytes.slice(window.out, end - this.#separator.length))
  }

  #writeItems(count: number): number {
    const { space, window, mode } = this.#list
    const { kernel, items } = space
    if (mode instanceof RowsMode) return kernel.writePlainRows(items, count, mode.delimiter, window.out)
    if (this.#mode === 'json') return kernel.writeItems(items, count, window.out)
    return kernel.writePlainLines(items, count, window.out)
  }
}
