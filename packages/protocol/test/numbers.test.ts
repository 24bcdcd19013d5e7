import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grouped } from '../src/index.ts'

test('whole numbers are written as the platform writes them', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      expect(grouped(value)).toBe(value.toLocaleString('en-US'))
    }),
  )
})
