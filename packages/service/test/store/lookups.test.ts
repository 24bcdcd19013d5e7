import { expect, test, vi } from 'vitest'
import { Lookups } from '../../src/store/lookups.ts'
import { turns } from '../support/manual-clock.ts'

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

test('a query has at most the given number of keys, those that have waited longest first', async () => {
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

test('keys that arrive during a query wait for the next one', async () => {
  const asked: (readonly string[])[] = []
  const answers: (() => void)[] = []
  const lookups = new Lookups(async (keys) => {
    asked.push(keys)
    await new Promise<void>((answer) => answers.push(answer))
    return new Map(keys.map((key) => [key, key]))
  }, 16)
  const first = lookups.find('a')
  await vi.waitUntil(() => answers.length === 1)
  const others = ['b', 'a'].map((key) => lookups.find(key))
  await turns()
  expect(asked).toEqual([['a']])
  answers[0]?.()
  expect(await first).toBe('a')
  await vi.waitUntil(() => answers.length === 2)
  answers[1]?.()
  expect(await Promise.all(others)).toEqual(['b', 'a'])
  expect(asked).toEqual([['a'], ['b', 'a']])
})

test('without keys there are no queries', async () => {
  const { asked, lookups } = recording(2)
  await lookups.find('a')
  await turns()
  expect(asked).toEqual([['a']])
})
