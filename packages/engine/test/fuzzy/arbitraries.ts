import fc from 'fast-check'

/** Characters for keys. If there are more than 64 different ones, several share a class in the kernel. */
const ALPHABETS = {
  'two letters': 'ab',
  'three letters': 'abc',
  'five letters': 'abcd ',
  'a word list': 'abcdefghijklmnopqrstuvwxyz ',
  'astral, combining and lone surrogates': ['\u{1f600}', '\u{1f601}', '\u0301', 'e', '\ud83d', '\ude00', '\uffff'],
  'two hundred ideographs': Array.from({ length: 200 }, (_, i) => String.fromCodePoint(0x4e00 + i)),
} as const

/**
 * Distinct keys, all made from one text by a few edits each, so that distances are close to what thresholds allow.
 * Shrinks to fewer keys, fewer edits and a shorter text.
 */
export function nearKeys(shape: {
  shortest: number
  longest: number
  mostKeys: number
  mostEdits: number
}): fc.Arbitrary<string[]> {
  return fc
    .record({
      alphabet: fc.constantFrom(...Object.values(ALPHABETS)).map((characters) => [...characters]),
      text: fc.array(fc.nat(199), { minLength: shape.shortest, maxLength: shape.longest, size: 'max' }),
      keys: fc.array(fc.array(fc.nat(0xffffff), { maxLength: shape.mostEdits, size: 'max' }), {
        minLength: 1,
        maxLength: shape.mostKeys,
        size: 'max',
      }),
    })
    .map(({ alphabet, text, keys }) => [
      ...new Set(
        keys.map((edits) =>
          edits
            .reduce(edited, text)
            .map((n) => alphabet[n % alphabet.length])
            .join(''),
        ),
      ),
    ])
}

/** One insertion, deletion or substitution, determined by a number. */
function edited(text: readonly number[], edit: number): number[] {
  const character = edit & 0xff
  const at = (edit >> 10) % (text.length + 1)
  const kind = (edit >> 8) & 3
  if (kind === 0) return text.toSpliced(at, 0, character)
  if (kind === 1) return text.toSpliced(at, 1)
  return text.toSpliced(at, 1, character)
}

/** 0.50, 0.51 … 1.00. */
export const thresholds: fc.Arbitrary<number> = fc.integer({ min: 50, max: 100 }).map((percent) => percent / 100)
