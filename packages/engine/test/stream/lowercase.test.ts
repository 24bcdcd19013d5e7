import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textWithStrayBytes, writeLowerCase } from '../../src/stream/lowercase.ts'

function lower(bytes: Uint8Array): Buffer {
  const room = new Uint8Array(bytes.length * 3 + 8)
  room.set(bytes)
  return Buffer.from(room.subarray(bytes.length, writeLowerCase(room, 0, bytes.length, bytes.length)))
}

test('text is lower-cased as JavaScript does it', () => {
  const letters = fc.constantFrom('Σ', 'σ', 'İ', 'Ⱥ', 'K', 'ß', 'ẞ', 'A', '.', ' ')
  const character = fc.oneof(letters, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }))
  fc.assert(
    fc.property(fc.array(character), (characters) => {
      const text = characters.join('')
      expect(lower(Buffer.from(text)).toString()).toBe(text.toLowerCase())
    }),
  )
})

test.each([
  { name: 'a byte that begins nothing', bytes: [0x41, 0x80, 0x41], lower: [0x61, 0x80, 0x61] },
  { name: 'half a character', bytes: [0xc3, 0x41], lower: [0xc3, 0x61] },
  { name: 'a character cut short at the end', bytes: [0x41, 0xe2, 0x82], lower: [0x61, 0xe2, 0x82] },
  { name: 'a surrogate', bytes: [0xed, 0xa0, 0x80, 0x5a], lower: [0xed, 0xa0, 0x80, 0x7a] },
  { name: 'an overlong form', bytes: [0xc1, 0x81], lower: [0xc1, 0x81] },
  { name: 'a real character beside it', bytes: [0xff, 0xc3, 0x89], lower: [0xff, 0xc3, 0xa9] },
])('bytes that are no UTF-8 stay: $name', ({ bytes, lower: expected }) => {
  expect([...lower(Uint8Array.from(bytes))]).toEqual(expected)
})

test('in its own place', () => {
  const bytes = new Uint8Array(16)
  bytes.set(Buffer.from('ȺBÉ'))
  expect(Buffer.from(bytes.subarray(0, writeLowerCase(bytes, 0, 5, 0))).toString()).toBe('ⱥbé')
})

test('different bytes are different texts, whatever they are', () => {
  const bytes = fc
    .array(fc.constantFrom(0x41, 0x80, 0xc3, 0xa9, 0xed, 0xa0, 0xe2, 0x82, 0xf0, 0xff))
    .map((list) => Buffer.from(list))
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const isSame = textWithStrayBytes(one).text === textWithStrayBytes(other).text
      expect(isSame).toBe(one.equals(other))
    }),
  )
})
