import { describe, expect, test } from 'vitest'
import { day, instant, monthName, shortDay, shortNumber } from '../src/keys/words.ts'

describe('days and instants in words', () => {
  const iso = '2026-02-03T04:05:06.789Z'
  test.each([
    { name: 'a day', said: day(iso), words: '3 Feb 2026' },
    { name: 'a day of this year', said: shortDay('2026-12-31'), words: '31 Dec' },
    { name: 'a month', said: monthName('2026-05'), words: 'May 2026' },
    { name: 'an instant', said: instant(iso), words: '3 Feb, 04:05:06' },
  ])('$name: $words', ({ said, words }) => expect(said).toBe(words))
})

test.each([
  [0, '0'],
  [500, '500'],
  [1_500, '1.5K'],
  [20_000, '20K'],
  [3_000_000, '3M'],
])('%s at the side of a chart is %s', (value, words) => expect(shortNumber(value)).toBe(words))
