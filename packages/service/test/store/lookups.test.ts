import { expect, test } from 'vitest'
import { Lookups } from '../../src/store/lookups.ts'

/** Finds everything but keys with `?`, and records what it was asked for. */
function recording(maxBatchSize: number) {
  const asked: (readonly string[])[] = []
  const lookups = new Lookups(async (keys) => {
    asked.push(keys)
    if (keys.includes('bad')) throw new Error('down')
    return new Map(keys.filter((key) => !key.includes('?')).map((key) => [key, `found ${key}`]))
  }, maxBatchSize)
  return { asked, lookups }
}

test('keys that arrive together are looked up together, each once', async () => {
  const { asked, lookups } = recording(Number.POSITIVE_INFINITY)
  const found = await Promise.all(['a', 'b', 'a', '?'].map((key) => lookups.find(key)))
  expect(found).toEqual(['found a', 'found b', 'found a', undefined])
  expect(asked).toEqual([['a', 'b', '?']])
})

test('at most so many at once, those that have waited longest first', async () => {
  const { asked, lookups } = recording(2)
  const found = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => lookups.find(key)))
  expect(found).toEqual(['a', 'b', 'c', 'd', 'e'].map((key) => `found ${key}`))
  expect(asked).toEqual([['a', 'b'], ['c', 'd'], ['e']])
})

test('a failed query fails its own keys only', async () => {
  const { lookups } = recording(2)
  const found = await Promise.allSettled(['a', 'bad', 'c'].map((key) => lookups.find(key)))
  expect(found.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})
