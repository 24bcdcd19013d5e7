import { Rows } from '../core/forms.ts'
import { FuzzyTexts } from '../core/fuzzy-text.ts'
import { behind, claimBatch } from '../core/judge.ts'
import type { Question } from '../core/questions.ts'
import { ITEM, type Space, VERDICT } from '../core/space.ts'
import { judgeFuzzy } from '../fuzzy/index.ts'
import type { ShouldStop } from '../verdicts.ts'
import { Answer } from './answer.ts'
import { eachBatch, type List, openList } from './list.ts'
import type { RequestData } from './parse.ts'
import { inSpace } from './threads.ts'

export interface RequestAnswer {
  /** The whole answer, `{"result":…,"kept":…,"removed":…}`, in a buffer of its own. */
  readonly body: Uint8Array<ArrayBuffer>
  readonly kept: number
  readonly removed: number
}

export interface RunOptions {
  /** SEED_BYTES unpredictable bytes, for the hashes that a caller's data feeds. No verdict depends on them. */
  readonly seed: Uint8Array
  /** Asked a few times a second by fuzzy work; exact work is done before anyone could ask. */
  readonly shouldStop?: ShouldStop
}

/**
 * Deduplicates what a request is about; uses `data.bytes` up.
 * @throws Stopped fuzzy work only, once `shouldStop` answers true
 */
export function runRequest(data: RequestData, question: Question, how: RunOptions): RequestAnswer {
  return inSpace(how.seed, (space) => {
    const list = openList(space, data, question)
    space.layOut(list.to - list.placed, list.form.room)
    const answer = new Answer(space, list.writing)
    const hasHeader = question.mode === 'rows' && question.options.hasHeader
    const items = hasHeader ? { ...list, from: takeHeader(space, list, answer) } : list
    if (question.mode === 'rows' && question.options.fuzzy)
      judgeAlike(space, items, { answer, how, ...question.options })
    else judgeExactly(space, items, { answer, total: data.count })
    const kept = space.kernel.keptCount()
    const removed = space.kernel.removedCount()
    return { body: answer.end(kept, removed), kept, removed }
  })
}

/** The header goes out first, neither compared nor counted. Returns where the rows behind it begin. */
function takeHeader(space: Space, { form, from, to }: List, answer: Answer): number {
  if (form.split(1, from, to, true) === 0) return to
  space.words[space.item(0) + ITEM.verdict] = VERDICT.kept
  answer.write(1)
  return behind(space, 1)
}

interface Exactly {
  readonly answer: Answer
  readonly total: number
}

function judgeExactly(space: Space, list: List, { answer, total }: Exactly): void {
  space.openTable({ total, positions: false, exact: true, stable: list })
  let position = 0
  eachBatch(space, list, (items) => {
    claimBatch(space, list.form, items, position)
    answer.write(items)
    position += items
  })
}

interface Alike {
  readonly answer: Answer
  readonly how: RunOptions
  readonly threshold: number
}

function judgeAlike(space: Space, list: List, { answer, how, threshold }: Alike): void {
  if (!(list.form instanceof Rows)) throw new TypeError('only rows can be alike')
  const texts = new FuzzyTexts(space, list.form)
  eachBatch(space, list, (rows) => {
    for (let row = 0; row < rows; row++) texts.take(space.item(row))
  })
  const { seed } = how
  const word = new DataView(seed.buffer, seed.byteOffset).getUint32(0)
  const { survivorOf } = judgeFuzzy(texts.texts, threshold, how.shouldStop, word)
  const survivors = space.place(new Uint8Array(survivorOf.buffer))
  space.openTable({ total: 0, positions: false, exact: false })
  let position = 0
  eachBatch(space, list, (rows) => {
    space.kernel.decide(space.items, rows, position, survivors + 4 * position)
    answer.write(rows)
    position += rows
  })
}
