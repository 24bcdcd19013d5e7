import { describe, expect, test } from 'vitest'
import { day, instant, monthName, shortDay, shortNumber } from '../src/keys/format.ts'

describe('formatted days and instants', () => {
  const iso = '2026-02-03T04:05:06.789Z'
  test.each([
    { name: 'a day', actual: day(iso), text: '3 Feb 2026' },
    { name: 'a day of this year', actual: shortDay('2026-12-31'), text: '31 Dec' },
    { name: 'a month', actual: monthName('2026-05'), text: 'May 2026' },
    { name: 'an instant', actual: instant(iso), text: '3 Feb, 04:05:06' },
  ])('$name: $text', ({ actual, text }) => expect(actual).toBe(text))
})

test.each([
  [0, '0'],
  [500, '500'],
  [1_500, '1.5K'],
  [20_000, '20K'],
  [3_000_000, '3M'],
])('%s as a label of a chart is %s', (value, text) => expect(shortNumber(value)).toBe(text))
