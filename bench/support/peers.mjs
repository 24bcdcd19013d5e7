/** What people would otherwise run. Each takes rows and a threshold, and returns how many it keeps. */
import { distance } from 'fastest-levenshtein'
import { dedupe, ratio } from 'fuzzball'
import { judgeFuzzy, normalizeKey } from '../../packages/engine/dist/fuzzy/index.js'

function near(a, b, threshold) {
  const longer = Math.max(a.length, b.length)
  if (longer === 0) return true
  if ((longer - Math.abs(a.length - b.length)) / longer < threshold) return false
  return (longer - distance(a, b)) / longer >= threshold
}

function bruteForce(rows, threshold) {
  const kept = []
  for (const key of new Set(rows.map(normalizeKey))) {
    if (!kept.some((earlier) => near(earlier, key, threshold))) kept.push(key)
  }
  return kept.length
}

/** Only keys that share a word or three letters in a row are compared. */
function blocking(rows, threshold) {
  const kept = []
  const postings = new Map()
  for (const key of new Set(rows.map(normalizeKey))) {
    const blocks = new Set(key.split(' '))
    for (let i = 0; i + 3 <= key.length; i++) blocks.add(key.slice(i, i + 3))
    const candidates = new Set([...blocks].flatMap((block) => postings.get(block) ?? []))
    if ([...candidates].some((earlier) => near(kept[earlier], key, threshold))) continue
    for (const block of blocks) {
      const posting = postings.get(block)
      if (posting) posting.push(kept.length)
      else postings.set(block, [kept.length])
    }
    kept.push(key)
  }
  return kept.length
}

export const TOOLS = {
  Keepfirst: (rows, threshold) => judgeFuzzy(rows, threshold).kept,
  'brute force, fastest-levenshtein': bruteForce,
  'n-gram blocking': blocking,
  'fuzzball dedupe': (rows, threshold) =>
    dedupe(rows.map(normalizeKey), { cutoff: threshold * 100, scorer: ratio }).length,
}
