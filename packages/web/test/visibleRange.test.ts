import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visibleRange } from '../src/try/visibleRange.ts'

const frame = { entryPx: 32, heightPx: 320 }

describe('the visible entries of a long list', () => {
  test.each([
    { name: 'the first ones at the top', count: 100, scrollTop: 0, first: 0, offsetPx: 0 },
    { name: 'half of an entry at the edge', count: 100, scrollTop: 48, first: 1, offsetPx: 16 },
    { name: 'the last ten at the end', count: 100, scrollTop: 100 * 32 - 320, first: 90, offsetPx: 0 },
    { name: 'all of a short list', count: 3, scrollTop: 0, first: 0, offsetPx: 0 },
  ])('$name', ({ count, scrollTop, first, offsetPx }) =>
    expect(visibleRange({ ...frame, count }, scrollTop)).toMatchObject({ first, offsetPx }),
  )

  test('a list that is too tall for a browser can be scrolled to its very end', () => {
    const count = 5_000_000
    const { spacerPx } = visibleRange({ ...frame, count }, 0)
    expect(spacerPx).toBeLessThanOrEqual(8_000_000)
    expect(visibleRange({ ...frame, count }, spacerPx - 320).first).toBe(count - 10)
  })

  test('scrolling down never goes back, and never past the end', () => {
    const anywhere = fc.record({ count: fc.nat(6_000_000), from: fc.nat(8_000_000), by: fc.nat(10_000) })
    fc.assert(
      fc.property(anywhere, ({ count, from, by }) => {
        const here = visibleRange({ ...frame, count }, from)
        const there = visibleRange({ ...frame, count }, from + by)
        expect(there.first).toBeGreaterThanOrEqual(here.first)
        expect(there.first).toBeLessThanOrEqual(Math.max(0, count - 10))
      }),
    )
  })
})
