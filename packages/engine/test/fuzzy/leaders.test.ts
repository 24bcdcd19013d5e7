import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../tests/support/runs.ts'
import { findLeaders } from '../../src/fuzzy/leaders.ts'
import { referenceLeaders } from '../reference/fuzzy.ts'
import { nearKeys, thresholds } from './arbitraries.ts'

const tunings = fc.record({
  batchSize: fc.constantFrom(1, 2, 3, 8, 32, 256),
  indexing: fc.boolean(),
  seed: fc.nat(),
})

describe('every pair that reaches the threshold is found, and the first kept key is the leader', () => {
  test.each([
    { name: 'short keys', shortest: 0, longest: 9, mostKeys: 14, mostEdits: 5, all: 14_000 },
    { name: 'around 16 characters', shortest: 10, longest: 20, mostKeys: 12, mostEdits: 9, all: 14_000 },
    { name: 'around 32 characters', shortest: 25, longest: 36, mostKeys: 8, mostEdits: 14, all: 8_000 },
    { name: 'around 64 characters', shortest: 55, longest: 72, mostKeys: 6, mostEdits: 26, all: 3_500 },
    { name: 'many keys, full groups', shortest: 4, longest: 12, mostKeys: 90, mostEdits: 6, all: 400 },
    { name: 'several blocks of one length', shortest: 6, longest: 8, mostKeys: 500, mostEdits: 12, all: 100 },
    { name: 'blocks of longer keys', shortest: 30, longest: 90, mostKeys: 80, mostEdits: 40, all: 100 },
    { name: 'blocks of keys too long for lanes', shortest: 140, longest: 140, mostKeys: 90, mostEdits: 120, all: 20 },
    { name: 'up to 300 characters', shortest: 100, longest: 300, mostKeys: 5, mostEdits: 80, all: 200 },
  ])(
    '$name',
    ({ all, ...shape }) => {
      fc.assert(
        fc.property(nearKeys(shape), thresholds, tunings, (keys, threshold, tuning) => {
          expect([...findLeaders(keys, threshold, () => false, tuning).leaderOf]).toEqual(
            referenceLeaders(keys, threshold),
          )
        }),
        { numRuns: runs(all) },
      )
    },
    900_000,
  )
})
