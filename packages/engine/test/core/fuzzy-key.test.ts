import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../tests/support/runs.ts'
import { Space } from '../../src/core/space.ts'
import { normalizeKey } from '../../src/fuzzy/normalize.ts'

const space = new Space()
const TEXT_BYTES = 4_096
const text = space.allocate(TEXT_BYTES)
const out = space.allocate(TEXT_BYTES)

/** Undefined when the kernel leaves it to the host. */
function key(said: string): string | undefined {
  const { written } = new TextEncoder().encodeInto(said, space.bytes.subarray(text))
  const end = space.kernel.writeFuzzyKey(text, text + written, out) >>> 0
  return end === 0 ? undefined : Buffer.from(space.bytes.subarray(out, end)).toString()
}

test('text of ASCII has the key that the host would make', () => {
  const character = fc.oneof(
    fc.constantFrom('a', 'B', 'b', ' ', '-', '.', '\t', '\0', '$', '_'),
    fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }),
  )
  fc.assert(
    fc.property(fc.array(character, { maxLength: 60 }), (characters) => {
      const said = characters.join('')
      expect(key(said) ?? normalizeKey(said)).toBe(normalizeKey(said))
    }),
    { numRuns: runs(3_000) },
  )
  for (let code = 0; code < 128; code++) {
    const said = `B${String.fromCharCode(code)}a`
    expect(key(said)).toBe(normalizeKey(said))
  }
})

test('what it cannot tell is left to the host, as it was', () => {
  const many = Array.from({ length: 65 }, (_, n) => `w${n}`).join(' ')
  for (const said of ['é', `${'a'.repeat(40)}é`, many]) {
    expect(key(said)).toBeUndefined()
    expect(Buffer.from(space.bytes.subarray(text, text + Buffer.byteLength(said))).toString()).toBe(said)
  }
  expect(key('')).toBe('')
  expect(key(' - ')).toBe('')
})
