import { seedWord } from '../core/seed.ts'
import { judgeNormalized } from '../fuzzy/index.ts'
import type { Question } from '../modes/index.ts'
import type { RequestData } from '../modes/mode.ts'
import type { ShouldStop } from '../verdicts.ts'
import { answerIn, type RequestAnswer } from './answer-in.ts'
import { inSpace } from './threads.ts'

export interface RunOptions {
  /** SEED_BYTES unpredictable bytes, for the hashes of a caller's data. Verdicts do not depend on them. */
  readonly seed: Uint8Array
  /** Called a few times a second by fuzzy work; exact work is too quick to need it. */
  readonly shouldStop?: ShouldStop
}

/**
 * Deduplicates the list of a request; consumes `data.bytes`.
 * @throws Stopped when `shouldStop` returns true during fuzzy work
 * @throws NoMemory when the list and its keys do not fit
 * @throws RangeError when the seed is too short
 */
export function runRequest(data: RequestData, question: Question, { seed, shouldStop }: RunOptions): RequestAnswer {
  return inSpace(seed, (space) =>
    answerIn(space, data, question, {
      judgeFuzzyKeys: (keys, threshold) => judgeNormalized(keys, threshold, shouldStop, seedWord(seed)),
      hasSurrogates: true,
    }),
  )
}
