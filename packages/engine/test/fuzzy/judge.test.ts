import { describe, expect, test } from 'vitest'
import { judgeFuzzy } from '../../src/fuzzy/index.ts'
import { Stopped } from '../../src/verdicts.ts'
import { referenceSurvivors } from '../reference/fuzzy.ts'

describe('near-duplicates: the first is kept, later ones that reach the threshold are removed', () => {
  test.each([
    { name: 'no rows', keys: [], threshold: 0.9, survivorOf: [] },
    { name: 'one row', keys: ['a'], threshold: 0.5, survivorOf: [0] },
    { name: 'nine of ten letters reach 0.9', keys: ['abcdefghij', 'abcdefghix'], threshold: 0.9, survivorOf: [0, 0] },
    {
      name: 'eight of nine letters do not reach 0.9',
      keys: ['abcdefghi', 'abcdefghx'],
      threshold: 0.9,
      survivorOf: [0, 1],
    },
    { name: 'seven of ten letters reach 0.7', keys: ['abcdefghij', 'abcdefgxyz'], threshold: 0.7, survivorOf: [0, 0] },
    { name: 'half of the letters reach 0.5', keys: ['ab', 'ac', 'xy'], threshold: 0.5, survivorOf: [0, 0, 2] },
    {
      name: 'the distance is divided by the length of the longer key',
      keys: ['abcd', 'ab'],
      threshold: 0.5,
      survivorOf: [0, 0],
    },
    {
      name: 'at 1, keys have to be equal after normalisation',
      keys: ['Doe, Jane', 'jane doe', 'jane do'],
      threshold: 1,
      survivorOf: [0, 0, 2],
    },
    { name: 'empty keys are equal', keys: ['', '—', ' '], threshold: 1, survivorOf: [0, 0, 0] },
    { name: 'an empty key is not similar to any other', keys: ['', 'a', '!'], threshold: 0.5, survivorOf: [0, 1, 0] },
    {
      name: 'lengths are counted in code points',
      keys: ['\u{1f600}b', '\u{1f600}c'],
      threshold: 0.5,
      survivorOf: [0, 0],
    },
    {
      name: 'half of an emoji differs from the emoji',
      keys: ['\ud83d', '\u{1f600}'],
      threshold: 0.5,
      survivorOf: [0, 1],
    },
    {
      name: 'a removed key does not remove others',
      keys: ['aaaa', 'aaab', 'aabb'],
      threshold: 0.75,
      survivorOf: [0, 0, 2],
    },
    {
      name: 'the survivor is the first near key, not the nearest one',
      keys: ['aaaabb', 'aaccbb', 'aaacbb'],
      threshold: 0.8,
      survivorOf: [0, 1, 0],
    },
  ])('$name', ({ keys, threshold, survivorOf }) => {
    expect(referenceSurvivors(keys, threshold)).toEqual(survivorOf)
    const verdicts = judgeFuzzy(keys, threshold)
    expect([...verdicts.survivorOf]).toEqual(survivorOf)
    const kept = survivorOf.filter((survivor, row) => survivor === row).length
    expect(verdicts).toMatchObject({ kept, removed: keys.length - kept })
  })

  test.each([
    { name: 'many keys', keys: Array.from({ length: 5_000 }, (_, i) => `key ${i * 7919}`) },
    { name: 'one pair of very long keys', keys: ['ab'.repeat(100_000), 'abc'.repeat(70_000)] },
  ])('work can be stopped: $name', ({ keys }) => {
    let checks = 0
    expect(() => judgeFuzzy(keys, 0.5, () => ++checks > 3)).toThrow(Stopped)
    expect(checks).toBe(4)
  })
})
