import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../tests/support/runs.ts'
import { ITEM, Space, type TableOptions, VERDICT } from '../../src/core/space.ts'
import { putItem } from '../support/items.ts'

const space = new Space()
const encoder = new TextEncoder()
const BATCH_SIZE = 1_000

/** A table that takes hashes and keys, and returns the position at which each was first seen. */
class Table {
  readonly #text: number

  constructor(options: Omit<TableOptions, 'total'> & { total?: number }) {
    space.clear()
    this.#text = space.allocate(1_000_000)
    space.openTable({ total: 0, ...options })
  }

  getOrInsert(hashes: readonly (readonly number[])[], keys: readonly string[] = [], position = 0): number[] {
    const survivors: number[] = []
    for (let first = 0; first < hashes.length; first += BATCH_SIZE) {
      const batch = hashes.slice(first, first + BATCH_SIZE)
      let end = this.#text
      const items = batch.map((words, i) => {
        const start = end
        end += encoder.encodeInto(keys[first + i] ?? '', space.bytes.subarray(start)).written
        const item = putItem(space, i, { start, end })
        space.words.set(words, item + ITEM.hash)
        return item
      })
      expect(space.kernel.getOrInsert(space.items, batch.length, position + first)).toBe(batch.length)
      const found = items.map((item) => space.survivorOf(item))
      expect(items.map((item) => space.words[item + ITEM.verdict])).toEqual(
        found.map((survivor, i) => (survivor === position + first + i ? VERDICT.kept : VERDICT.removed)),
      )
      survivors.push(...found)
    }
    return survivors
  }
}

/** Few values per word, so that equal hashes, full segments and long probe sequences are common; 0 is among them. */
const word = fc.constantFrom(0, 1, 2, 0x8000_0000, 0xffff_ffff)
const hash = fc.tuple(fc.constantFrom(0, 0xffff_ffff), fc.oneof(word, fc.nat()), word, word)

/** Zero marks a free slot; a word that happens to be zero counts as 1. */
const nameOf = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string => [a, b || 1, c, d].join()

describe('the table of distinct keys', () => {
  test('finds the same keys and positions as a Map', () => {
    fc.assert(
      fc.property(fc.array(hash, { maxLength: 400 }), fc.nat({ max: 1_000 }), (hashes, total) => {
        const first = new Map<string, number>()
        const expected = hashes.map((words, position) => {
          const survivor = first.get(nameOf(words)) ?? position
          first.set(nameOf(words), survivor)
          return survivor
        })
        expect(new Table({ positions: true, exact: false, total }).getOrInsert(hashes)).toEqual(expected)
        expect(space.kernel.keptCount()).toBe(first.size)
        expect(space.kernel.removedCount()).toBe(hashes.length - first.size)
      }),
      { numRuns: runs(300) },
    )
  })

  test.each([0, 1_000, 100_000])('grows: every key is found again if %i were expected', (total) => {
    const hashes = Array.from({ length: 50_000 }, (_, n) => {
      return [Math.imul(n, 0x9e37_79b1) >>> 0, Math.imul(n, 0x85eb_ca6b) >>> 0, n, n + 1]
    })
    const positions = hashes.map((_, n) => n)
    const table = new Table({ positions: true, exact: false, total })
    expect(table.getOrInsert(hashes)).toEqual(positions)
    expect(table.getOrInsert(hashes, [], hashes.length)).toEqual(positions)
  })

  test('a new one takes no more memory than the first, however many there were', () => {
    const hashes = Array.from({ length: 3_000 }, (_, n) => [Math.imul(n, 0x9e37_79b1) >>> 0, n, n, n])
    const heldBytes = Array.from({ length: 200 }, () => {
      new Table({ positions: true, exact: false }).getOrInsert(hashes)
      return space.bytes.byteLength
    })
    expect(new Set(heldBytes).size).toBe(1)
  })

  test('without positions it only returns that a key was seen before', () => {
    const key = [1, 2, 3, 4]
    expect(new Table({ positions: false, exact: false }).getOrInsert([key, key])).toEqual([0, -1])
  })

  test('exact: keys with the same hash are distinguished, whatever their lengths', () => {
    const key = fc.constantFrom('', 'a', 'b', 'ab', 'ba', 'a\0', 'x'.repeat(8), 'x'.repeat(9), `${'x'.repeat(8)}y`)
    fc.assert(
      fc.property(fc.array(key), (keys) => {
        const table = new Table({ positions: true, exact: true })
        expect(table.getOrInsert(Array(keys.length).fill([5, 5, 5, 5]), keys)).toEqual(
          keys.map((key) => keys.indexOf(key)),
        )
      }),
    )
  })

  test('exact: stored keys, short and long, survive the reuse of their text and the growth of the table', () => {
    const keys = Array.from({ length: 3_000 }, (_, n) => `${'x'.repeat(n % 100 === 0 ? 20_000 : n % 50)}${n}`)
    const hashes = keys.map((_, n) => [Math.imul(n, 0x9e37_79b1) >>> 0, 1, 1, 1])
    const table = new Table({ positions: true, exact: true })
    expect(table.getOrInsert(hashes, keys)).toEqual(keys.map((_, n) => n))
    expect(table.getOrInsert(hashes, keys, keys.length)).toEqual(keys.map((_, n) => n))
  })
})
