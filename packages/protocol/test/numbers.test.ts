import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grouped } from '../src/index.ts'

test('integers are formatted as by toLocaleString', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      expect(grouped(value)).toBe(value.toLocaleString('en-US'))
    }),
  )
})
