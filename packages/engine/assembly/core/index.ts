/**
 * The work on every byte. The host is in charge: it lays out the memory, copies the text in, has it split into items,
 * has their keys set, hashed and looked up, and the survivors written.
 *
 * Addresses and counts are unsigned 32-bit numbers. SLACK_BYTES may be read after every text, and as many written after
 * every output area.
 */
import { SEED_BYTES } from './hash'
import { emptyKeys, Item, withKey } from './item'
import { arrayCount, stoppedAt, stoppedBy } from './json'
import { allocate as allocateBytes, SLACK_BYTES } from './memory'
import { faultAt } from './scan'
import { kept, removed } from './table'

export { readBody } from './body'
export { endsInQuotes, keyRows, splitFoundRows, splitRows, writeCells, writeFuzzyText, writeRow } from './csv'
export { writeFuzzyKey } from './fuzzy-key'
export { hashKeys } from './hash'
export { readArray, splitArray, splitFoundItems, splitValues } from './json'
export { countLineFeeds, countLines, keyLines, splitLines } from './lines'
export { lowerKeys } from './lower'
export { mark, release } from './memory'
export { openScanner, readValue } from './scan'
export { decide, find, getOrInsert, limitTable, openTable } from './table'
export { isUtf8 } from './utf8'
export { gather, writeItems, writeLines, writePlainLines, writePlainRows, writeRows } from './write'

export function seedBytes(): u32 {
  return SEED_BYTES
}
export function itemBytes(): u32 {
  return offsetof<Item>()
}
export function slackBytes(): u32 {
  return SLACK_BYTES
}
export function allocate(bytes: f64): usize {
  return allocateBytes(<u64>bytes)
}
export function keptCount(): f64 {
  return kept
}
export function removedCount(): f64 {
  return removed
}
export function withKeyCount(): f64 {
  return withKey
}
export function emptyKeyCount(): f64 {
  return emptyKeys
}
export function faultPlace(): usize {
  return faultAt
}
export function itemCount(): u32 {
  return arrayCount
}
export function stopReason(): u32 {
  return stoppedBy
}
export function stopPlace(): usize {
  return stoppedAt
}
