/** Near-duplicates among rows: keys that are similar enough count as equal, and the first is kept. */
export { judgeFuzzy, judgeNormalized } from './judge.ts'
export { normalizeKey } from './normalize.ts'
export { similarity } from './similarity.ts'
