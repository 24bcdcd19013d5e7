import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../tests/support/runs.ts'
import { normalizeKey } from '../../src/fuzzy/normalize.ts'
import { referenceNormalize } from '../reference/fuzzy.ts'

describe('keys are compared in a normal form', () => {
  test.each([
    { name: 'a comma and the order of words make no difference', text: 'Smith, John', key: 'john smith' },
    { name: 'words are sorted', text: 'c B a', key: 'a b c' },
    { name: 'repeated words are kept', text: 'b a b', key: 'a b b' },
    {
      name: 'every kind of punctuation is removed',
      text: '«O’Neill» – (a_b)…¿?',
      key: 'oneill ab'.split(' ').sort().join(' '),
    },
    { name: 'punctuation alone leaves nothing', text: ' -- ,. ', key: '' },
    { name: 'the empty text is unchanged', text: '', key: '' },
    { name: 'symbols are not punctuation', text: 'C++ $5', key: '$5 c++' },
    {
      name: 'any white space separates words, even U+FEFF and U+00A0',
      text: 'b\ufeffa\u00a0c\u2028d\te',
      key: 'a b c d e',
    },
    { name: 'U+0085 and U+200B are not white space', text: 'b\u0085a\u200bc', key: 'b\u0085a\u200bc' },
    { name: 'composed and decomposed letters are equal', text: 'Cafe\u0301', key: 'caf\u00e9' },
    { name: 'a final sigma is recognised before punctuation is removed', text: 'ΣΑΣ-Α', key: 'σας' + 'α' },
    { name: 'İ lower-cases to two code points', text: 'İ', key: 'i\u0307' },
    { name: 'capital ẞ becomes ß', text: 'STRAẞE', key: 'straße' },
    { name: 'words sort by code point, not by code unit', text: '\u{1f600} \uff41', key: '\uff41 \u{1f600}' },
    { name: 'a lone surrogate is an ordinary character', text: '\ue000 \ud83d', key: '\ud83d \ue000' },
  ])('$name', ({ text, key }) => {
    expect(normalizeKey(text)).toBe(key)
    expect(referenceNormalize(text)).toBe(key)
  })

  test('any text has the same key as with the reference implementation', () => {
    const special = fc.constantFrom(
      ' ',
      '\u00a0',
      ',',
      '—',
      'ß',
      'Σ',
      'İ',
      '\u0301',
      '\ud83d',
      '\ude00',
      '\u{1f600}',
      '\uff41',
      'é',
    )
    const text = fc.oneof(fc.string({ unit: special, maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 30 }))
    fc.assert(
      fc.property(text, (any) => {
        expect(normalizeKey(any)).toBe(referenceNormalize(any))
      }),
      { numRuns: runs(3_000) },
    )
  })
})
