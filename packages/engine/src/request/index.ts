/** Requests: from a body's bytes to the answer's bytes. */
export type { JsonOptions, LinesOptions, Question, RowsOptions } from '../core/questions.ts'
export { SEED_BYTES } from '../core/seed.ts'
export { type ShouldStop, Stopped } from '../verdicts.ts'
export type { RequestAnswer } from './answer-in.ts'
export { billedRows, type RequestBody, type RequestData, readRequest } from './parse.ts'
export { type RunOptions, runRequest } from './run.ts'
export { readStrings, type Strings } from './strings.ts'
