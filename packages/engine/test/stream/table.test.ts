import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KeyTable, SEEN_BEFORE } from '../../src/stream/table.ts'
import { ITEM, setItem, Workspace } from '../../src/stream/workspace.ts'
import { seed } from './sift.ts'

const space = new Workspace(seed(), { growth: 0, slackBytes: 0 })
const encoder = new TextEncoder()

/** Puts an item of the given hash and key at the head of the workspace. */
function item(hash: readonly number[], key = ''): number {
  const end = space.window + encoder.encodeInto(key, space.bytes.subarray(space.window)).written
  setItem(space, 0, { start: space.window, end, next: end })
  space.words.set(hash, space.item(0) + ITEM.hash)
  return space.item(0)
}

/** Few values a word, so that equal ones, full segments and rows of neighbours are common; 0 among them. */
const word = fc.constantFrom(0, 1, 2, 0x8000_0000, 0xffff_ffff)
const hash = fc.tuple(fc.constantFrom(0, 0xffff_ffff), fc.oneof(word, fc.nat()), word, word)

describe('the table of distinct keys', () => {
  test('finds what a Map finds, positions included', () => {
    fc.assert(
      fc.property(fc.array(hash, { maxLength: 400 }), (hashes) => {
        const table = new KeyTable(space, { positions: true, exact: false })
        const known = new Map<string, number>()
        hashes.forEach((words, position) => {
          const key = [...words.slice(0, 3), words[3] || 1].join()
          const first = known.get(key) ?? position
          known.set(key, first)
          expect(table.claim(item(words), position)).toBe(first)
        })
      }),
      { numRuns: 300 },
    )
  })

  test('grows: every key is found again', () => {
    const table = new KeyTable(space, { positions: true, exact: false })
    const words = (n: number) => [Math.imul(n, 0x9e37_79b1) >>> 0, Math.imul(n, 0x85eb_ca6b) >>> 0, n, n + 1]
    const keys = 50_000
    for (let n = 0; n < keys; n++) expect(table.claim(item(words(n)), n)).toBe(n)
    for (let n = 0; n < keys; n++) expect(table.claim(item(words(n)), keys + n)).toBe(n)
  })

  test('without positions it says that a key was seen before', () => {
    const table = new KeyTable(space, { positions: false, exact: false })
    expect(table.claim(item([1, 2, 3, 4]), 1)).toBe(1)
    expect(table.claim(item([1, 2, 3, 4]), 2)).toBe(SEEN_BEFORE)
  })

  test('exact: keys that share a hash stay apart, whatever their lengths', () => {
    const same = [5, 5, 5, 5]
    fc.assert(
      fc.property(fc.array(fc.constantFrom('', 'a', 'b', 'ab', 'ba', 'a\0')), (keys) => {
        const table = new KeyTable(space, { positions: true, exact: true })
        keys.forEach((key, position) => {
          expect(table.claim(item(same, key), position)).toBe(keys.indexOf(key))
        })
      }),
    )
  })

  test('exact: keys longer than a block are kept, too', () => {
    const table = new KeyTable(space, { positions: true, exact: true })
    const long = 'x'.repeat(200_000)
    for (let n = 0; n < 50; n++) expect(table.claim(item([1, n, 1, 1], `${long}${n}`), n)).toBe(n)
    for (let n = 0; n < 50; n++) expect(table.claim(item([1, n, 1, 1], `${long}${n}`), 50 + n)).toBe(n)
  })
})
