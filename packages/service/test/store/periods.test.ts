import { expect, test } from 'vitest'
import { boundsOf, dayOf, monthOf, monthsBetween } from '../../src/store/periods.ts'

const NEW_YEAR = Date.UTC(2026, 0, 1)

test.each([
  { at: NEW_YEAR - 1, month: '2025-12', day: '2025-12-31' },
  { at: NEW_YEAR, month: '2026-01', day: '2026-01-01' },
  { at: Date.UTC(2028, 1, 29, 23, 59, 59, 999), month: '2028-02', day: '2028-02-29' },
])('$at belongs to $month and $day', ({ at, month, day }) => {
  expect([monthOf(at), dayOf(at)]).toEqual([month, day])
})

test.each([
  { month: '2025-12', start: Date.UTC(2025, 11, 1), end: NEW_YEAR },
  { month: '2028-02', start: Date.UTC(2028, 1, 1), end: Date.UTC(2028, 2, 1) },
])('$month ends where the next month starts', ({ month, start, end }) => {
  expect(boundsOf(month)).toEqual({ start, end })
})

test.each([
  { first: '2026-03', last: '2026-03', months: ['2026-03'] },
  { first: '2025-11', last: '2026-02', months: ['2025-11', '2025-12', '2026-01', '2026-02'] },
  { first: '2026-03', last: '2026-02', months: [] },
])('the months from $first to $last: $months', ({ first, last, months }) => {
  expect([...monthsBetween(first, last)]).toEqual(months)
})
