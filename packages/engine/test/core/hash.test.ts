import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ITEM, NO_ROOM, Space } from '../../src/core/space.ts'
import { referenceHash, referenceShortHash } from '../reference/hash.ts'
import { putItem } from '../support/items.ts'
import { seed } from '../support/seed.ts'

const SEED = seed(7)
const TEXT_BYTES = 300_000
const space = new Space()
space.seedWith(SEED)
space.layOut(TEXT_BYTES, NO_ROOM)
const text = space.allocate(TEXT_BYTES)

function hash(key: Uint8Array, exact = false): number[] {
  const start = text + 3 // not aligned
  space.bytes.set(key, start)
  const item = putItem(space, 0, { start, end: start + key.length })
  space.openTable({ total: 1, positions: false, exact })
  space.hashKeys(1)
  return [...space.words.subarray(item + ITEM.hash, item + ITEM.hash + 4)]
}

test('the kernel’s hash equals the reference implementation', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (key) => {
      expect(hash(key)).toEqual(referenceHash(key, SEED))
      expect(hash(key, true).slice(0, 2)).toEqual(referenceShortHash(key, SEED))
    }),
  )
})

test.each([1_016, 1_023, 1_024, 1_025, 2_048, 65_535, 65_536, 65_537, 200_001])(
  'a key of %i bytes has the reference implementation’s hash',
  (length) => {
    const key = Uint8Array.from({ length }, (_, i) => (i * i) >>> 3)
    expect(hash(key)).toEqual(referenceHash(key, SEED))
    // Keys longer than a block have the long hash even when keys are compared byte by byte.
    const short = length > 1_024 ? referenceHash(key, SEED).slice(0, 2) : referenceShortHash(key, SEED)
    expect(hash(key, true).slice(0, 2)).toEqual(short)
  },
)

test.each([
  { name: 'a zero at the end', one: [1, 2, 3], other: [1, 2, 3, 0] },
  { name: 'the empty key and zeros', one: [], other: [0, 0, 0, 0, 0, 0, 0, 0] },
  { name: 'words swapped', one: [1, 0, 0, 0, 2, 0, 0, 0], other: [2, 0, 0, 0, 1, 0, 0, 0] },
])('$name: every lane differs', ({ one, other }) => {
  const a = hash(Uint8Array.from(one))
  const b = hash(Uint8Array.from(other))
  expect(a.filter((lane, i) => lane === b[i])).toEqual([])
})

test('another seed gives another hash', () => {
  const key = Uint8Array.of(1, 2, 3)
  expect(referenceHash(key, seed(8))).not.toEqual(hash(key))
})
