/**
 * What people would otherwise run. Each tool takes distinct normalised keys and a threshold, and returns how many it
 * keeps.
 */
import { distance } from 'fastest-levenshtein'
import { dedupe, ratio } from 'fuzzball'
import { findLeaders } from '../../packages/engine/dist/fuzzy/leaders.js'

function near(a, b, threshold) {
  const longer = Math.max(a.length, b.length)
  if (longer === 0) return true
  if ((longer - Math.abs(a.length - b.length)) / longer < threshold) return false
  return (longer - distance(a, b)) / longer >= threshold
}

function keepfirst(keys, threshold) {
  const { leaderOf, pairsCompared, memoryBytes } = findLeaders(keys, threshold, () => false)
  return { kept: leaderOf.filter((leader, key) => leader === key).length, pairsCompared, memoryBytes }
}

function bruteForce(keys, threshold) {
  const kept = []
  for (const key of keys) {
    if (!kept.some((earlier) => near(earlier, key, threshold))) kept.push(key)
  }
  return { kept: kept.length }
}

/** Only keys that share a word or a trigram are compared. */
function blocking(keys, threshold) {
  const kept = []
  const postings = new Map()
  for (const key of keys) {
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
  return { kept: kept.length }
}

export const TOOLS = {
  Keepfirst: keepfirst,
  'brute force, fastest-levenshtein': bruteForce,
  'n-gram blocking': blocking,
  'fuzzball dedupe': (keys, threshold) => ({
    kept: dedupe(keys, { cutoff: threshold * 100, scorer: ratio }).length,
  }),
}
