import { Rows } from '../core/forms.ts'
import { FuzzyTexts } from '../core/fuzzy-text.ts'
import { claimBatch, endOfItems } from '../core/judge.ts'
import type { Question } from '../core/questions.ts'
import { ITEM, type Space, VERDICT } from '../core/space.ts'
import type { Verdicts } from '../verdicts.ts'
import { Answer } from './answer.ts'
import { eachBatch, type List, openList } from './list.ts'
import type { RequestData } from './parse.ts'

export interface RequestAnswer {
  /** The whole answer, `{"result":…,"kept":…,"removed":…}`, in the request's own buffer or a new one. */
  readonly body: Uint8Array<ArrayBuffer>
  readonly kept: number
  readonly removed: number
}

export interface AnswerOptions {
  /** Judges rows by their normalised keys. */
  judgeFuzzyKeys(keys: readonly string[], threshold: number): Verdicts
  /** Receives the survivor of each item; must have room for all of them. */
  readonly survivorOf?: Int32Array
}

/** Judges a list in a space that has been cleared and seeded. */
export function answerIn(space: Space, data: RequestData, question: Question, how: AnswerOptions): RequestAnswer {
  const list = openList(space, data, question)
  space.layOut(list.to - list.placed, list.form.room)
  const answer = new Answer(space, list.writing)
  const hasHeader = question.mode === 'rows' && question.options.hasHeader
  const items = hasHeader ? { ...list, from: takeHeader(space, list, answer) } : list
  if (question.mode === 'rows' && question.options.fuzzy) {
    judgeFuzzily(space, items, { answer, how, threshold: question.options.threshold })
  } else judgeExactly(space, items, { answer, how, total: data.count })
  const kept = space.kernel.keptCount()
  const removed = space.kernel.removedCount()
  return { body: answer.end(kept, removed, data.bytes.buffer), kept, removed }
}

/** Emits the header first, neither compared nor counted. Returns where the rows after it begin. */
function takeHeader(space: Space, { form, from, to }: List, answer: Answer): number {
  if (form.split(1, from, to, true) === 0) return to
  space.words[space.item(0) + ITEM.verdict] = VERDICT.kept
  answer.write(1)
  return endOfItems(space, 1)
}

interface Judging {
  readonly answer: Answer
  readonly how: AnswerOptions
}

function judgeExactly(space: Space, list: List, { answer, how, total }: Judging & { total: number }): void {
  const { survivorOf } = how
  space.openTable({ total, positions: survivorOf !== undefined, exact: true, stable: list })
  let position = 0
  eachBatch(space, list, (count) => {
    claimBatch(space, list.form, count, position)
    answer.write(count)
    if (survivorOf) {
      for (let index = 0; index < count; index++) {
        survivorOf[position + index] = space.survivorOf(space.item(index))
      }
    }
    position += count
  })
}

function judgeFuzzily(space: Space, list: List, { answer, how, threshold }: Judging & { threshold: number }): void {
  if (!(list.form instanceof Rows)) throw new TypeError('only rows can be similar')
  const texts = new FuzzyTexts(space, list.form, { normalized: true })
  eachBatch(space, list, (count) => {
    for (let row = 0; row < count; row++) texts.take(space.item(row))
  })
  const { survivorOf } = how.judgeFuzzyKeys(texts.texts, threshold)
  how.survivorOf?.set(survivorOf)
  const survivors = space.place(new Uint8Array(survivorOf.buffer))
  space.openTable({ total: 0, positions: false, exact: false })
  let position = 0
  eachBatch(space, list, (count) => {
    space.kernel.decide(space.items, count, position, survivors + 4 * position)
    answer.write(count)
    position += count
  })
}
