import { endOfItems, judgeBatch } from '../core/judge.ts'
import { ITEM, ITEMS_PER_BATCH, type Space, VERDICT } from '../core/space.ts'
import { FuzzyTexts } from '../modes/fuzzy-text.ts'
import { MODES, type Mode, type Question } from '../modes/index.ts'
import type { PlacedList, RequestData } from '../modes/mode.ts'
import { Rows } from '../modes/rows.ts'
import type { Verdicts } from '../verdicts.ts'
import { Answer } from './answer.ts'

export interface RequestAnswer {
  /** The whole answer, `{"result":…,"kept":…,"removed":…}`, in the request's own buffer or a new one. */
  readonly body: Uint8Array<ArrayBuffer>
  readonly kept: number
  readonly removed: number
}

export interface AnswerOptions {
  /** Judges rows by their normalised keys. */
  judgeFuzzyKeys(keys: readonly string[], threshold: number): Verdicts
  /** Whether the list was text that may contain lone surrogates, not bytes that may not be UTF-8. */
  readonly hasSurrogates: boolean
  /** Receives the survivor of each item; must have room for all of them. */
  readonly survivorOf?: Int32Array
}

/** Judges a list in a space that has been cleared and seeded. */
export function answerIn(space: Space, data: RequestData, question: Question, how: AnswerOptions): RequestAnswer {
  const list = place(space, data, question)
  space.layOut(list.to - list.placed, list.splitter.room)
  const answer = new Answer(space, list)
  const hasHeader = question.mode === 'rows' && question.options.hasHeader
  const items = hasHeader ? { ...list, from: takeHeader(space, list, answer) } : list
  if (question.mode === 'rows' && question.options.fuzzy) {
    judgeFuzzily(space, items, { answer, how, threshold: question.options.threshold })
  } else judgeExactly(space, items, { answer, how, total: data.count })
  const kept = space.kernel.keptCount()
  const removed = space.kernel.removedCount()
  return { body: answer.end(kept, removed, data.bytes.buffer), kept, removed }
}

function place<M extends Mode>(space: Space, data: RequestData, { mode, options }: Question<M>): PlacedList {
  return MODES[mode].place(space, data, options)
}

/** Emits the header first, neither compared nor counted. Returns where the rows after it begin. */
function takeHeader(space: Space, { splitter, from, to }: PlacedList, answer: Answer): number {
  if (splitter.split(1, from, to, true) === 0) return to
  space.words[space.item(0) + ITEM.verdict] = VERDICT.kept
  answer.write(1)
  return endOfItems(space, 1)
}

interface Judging {
  readonly answer: Answer
  readonly how: AnswerOptions
}

function judgeExactly(space: Space, list: PlacedList, { answer, how, total }: Judging & { total: number }): void {
  const { survivorOf } = how
  space.openTable({ total, positions: survivorOf !== undefined, exact: true, stable: list })
  let position = 0
  eachBatch(space, list, (count) => {
    judgeBatch(space, list.splitter, count, position)
    answer.write(count)
    if (survivorOf) {
      for (let index = 0; index < count; index++) {
        survivorOf[position + index] = space.survivorOf(space.item(index))
      }
    }
    position += count
  })
}

function judgeFuzzily(
  space: Space,
  list: PlacedList,
  { answer, how, threshold }: Judging & { threshold: number },
): void {
  if (!(list.splitter instanceof Rows)) throw new TypeError('only rows can be similar')
  const texts = new FuzzyTexts(space, list.splitter, { normalized: true, hasSurrogates: how.hasSurrogates })
  eachBatch(space, list, (count) => {
    for (let row = 0; row < count; row++) texts.take(space.item(row))
  })
  const { survivorOf } = how.judgeFuzzyKeys(texts.texts, threshold)
  how.survivorOf?.set(survivorOf)
  const survivors = space.place(new Uint8Array(survivorOf.buffer))
  space.openTable({ total: 0, positions: false, exact: false }) // only to count from zero
  let position = 0
  eachBatch(space, list, (count) => {
    space.kernel.decide(space.items, count, position, survivors + 4 * position)
    answer.write(count)
    position += count
  })
}

/** Splits a list, batch by batch. */
function eachBatch(space: Space, { splitter, from, to }: PlacedList, take: (count: number) => void): void {
  for (let at = from; at < to; ) {
    const count = splitter.split(ITEMS_PER_BATCH, at, to, true)
    if (count === 0) return
    take(count)
    at = endOfItems(space, count)
  }
}
