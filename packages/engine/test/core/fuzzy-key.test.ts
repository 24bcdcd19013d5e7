import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../tests/support/runs.ts'
import { Space } from '../../src/core/space.ts'
import { normalizeKey } from '../../src/fuzzy/normalize.ts'

const space = new Space()
const TEXT_BYTES = 4_096
const text = space.allocate(TEXT_BYTES)
const out = space.allocate(TEXT_BYTES)

/** @returns undefined if the kernel leaves the key to the host */
function key(source: string): string | undefined {
  const { written } = new TextEncoder().encodeInto(source, space.bytes.subarray(text))
  const end = space.kernel.writeFuzzyKey(text, text + written, out) >>> 0
  return end === 0 ? undefined : Buffer.from(space.bytes.subarray(out, end)).toString()
}

test('ASCII text has the same key as the host would make', () => {
  const character = fc.oneof(
    fc.constantFrom('a', 'B', 'b', ' ', '-', '.', '\t', '\0', '$', '_'),
    fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }),
  )
  fc.assert(
    fc.property(fc.array(character, { maxLength: 60 }), (characters) => {
      const source = characters.join('')
      expect(key(source) ?? normalizeKey(source)).toBe(normalizeKey(source))
    }),
    { numRuns: runs(3_000) },
  )
  for (let code = 0; code < 128; code++) {
    const source = `B${String.fromCharCode(code)}a`
    expect(key(source)).toBe(normalizeKey(source))
  }
})

test('text that the kernel cannot normalise is left to the host unchanged', () => {
  const many = Array.from({ length: 65 }, (_, n) => `w${n}`).join(' ')
  for (const source of ['é', `${'a'.repeat(40)}é`, many]) {
    expect(key(source)).toBeUndefined()
    expect(Buffer.from(space.bytes.subarray(text, text + Buffer.byteLength(source))).toString()).toBe(source)
  }
  expect(key('')).toBe('')
  expect(key(' - ')).toBe('')
})
