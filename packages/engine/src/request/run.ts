import type { Question } from '../core/questions.ts'
import { judgeNormalized } from '../fuzzy/index.ts'
import type { ShouldStop } from '../verdicts.ts'
import { answerIn, type RequestAnswer } from './answer-in.ts'
import type { RequestData } from './parse.ts'
import { inSpace } from './threads.ts'

export interface RunOptions {
  /** SEED_BYTES unpredictable bytes, for the hashes that a caller's data feeds. No verdict depends on them. */
  readonly seed: Uint8Array
  /** Asked a few times a second by fuzzy work; exact work is done before anyone could ask. */
  readonly shouldStop?: ShouldStop
}

/**
 * Deduplicates what a request is about; uses `data.bytes` up.
 * @throws Stopped of fuzzy work, once `shouldStop` answers true
 */
export function runRequest(data: RequestData, question: Question, { seed, shouldStop }: RunOptions): RequestAnswer {
  const word = new DataView(seed.buffer, seed.byteOffset).getUint32(0)
  return inSpace(seed, (space) =>
    answerIn(space, data, question, {
      judgeAlike: (keys, threshold) => judgeNormalized(keys, threshold, shouldStop, word),
    }),
  )
}
