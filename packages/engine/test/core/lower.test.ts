import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lowerKeys } from '../../src/core/lower.ts'
import { ITEM, Space } from '../../src/core/space.ts'
import { putItem } from '../support/items.ts'

const TEXT_BYTES = 4_096
const space = new Space()
space.layOut(TEXT_BYTES, { made: 0, lowered: 2 })
const text = space.allocate(TEXT_BYTES)

function lower(bytes: Uint8Array): Buffer {
  space.bytes.set(bytes, text)
  const item = putItem(space, 0, { start: text, end: text + bytes.length })
  lowerKeys(space, 1)
  return Buffer.from(space.bytes.slice(space.words[item + ITEM.keyStart], space.words[item + ITEM.keyEnd]))
}

test('text is lower-cased as in JavaScript', () => {
  const letters = fc.constantFrom('Σ', 'σ', 'İ', 'Ⱥ', 'K', 'ß', 'ẞ', 'A', '.', ' ')
  const anyPoint = fc
    .integer({ min: 0, max: 0x10ffff })
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point))
  const character = fc.oneof(letters, anyPoint)
  fc.assert(
    fc.property(fc.array(character), (characters) => {
      const text = characters.join('')
      expect(lower(Buffer.from(text)).toString()).toBe(text.toLowerCase())
    }),
  )
})

test.each([
  { name: 'a byte that cannot begin a character', bytes: [0x41, 0x80, 0x41], lower: [0x61, 0x80, 0x61] },
  { name: 'half of a character', bytes: [0xc3, 0x41], lower: [0xc3, 0x61] },
  { name: 'a truncated character at the end', bytes: [0x41, 0xe2, 0x82], lower: [0x61, 0xe2, 0x82] },
  { name: 'a surrogate', bytes: [0xed, 0xa0, 0x80, 0x5a], lower: [0xed, 0xa0, 0x80, 0x7a] },
  { name: 'an overlong encoding', bytes: [0xc1, 0x81], lower: [0xc1, 0x81] },
  { name: 'a valid character after an invalid byte', bytes: [0xff, 0xc3, 0x89], lower: [0xff, 0xc3, 0xa9] },
])('bytes that are not UTF-8 are unchanged: $name', ({ bytes, lower: expected }) => {
  expect([...lower(Uint8Array.from(bytes))]).toEqual(expected)
})

test('every Unicode character is lower-cased as in JavaScript', () => {
  for (let first = 0; first <= 0x10ffff; first += 256) {
    const points = Array.from({ length: 256 }, (_, i) => first + i).filter((point) => point < 0xd800 || point > 0xdfff)
    const text = points.map((point) => `${String.fromCodePoint(point)}-`).join('')
    expect(lower(Buffer.from(text)).toString()).toBe(text.toLowerCase())
  }
})

test('no character from U+1F000 on has a lower case, so that the kernel may skip them', () => {
  for (let point = 0x1f000; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point)
    if (character.toLowerCase() !== character) expect.fail(`U+${point.toString(16)} has a lower case`)
  }
})
