/** Near-duplicates among rows: keys that are alike enough count as one, and the first of them is kept. */
export { judgeFuzzy, judgeNormalized } from './judge.ts'
export { normalizeKey } from './normalize.ts'
export { similarity } from './similarity.ts'
