/** Rows with near-duplicates, the same in every run. A fifth of them are earlier ones with typos. */
import names from 'humannames' with { type: 'json' }
import { mulberry32 } from '../../tests/support/mulberry32.mjs'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

function misspelt(text, next) {
  const letters = [...text]
  for (let errors = next() < 0.3 ? 2 : 1; errors > 0; errors--) {
    const at = Math.floor(next() * letters.length)
    const letter = LETTERS[Math.floor(next() * 26)]
    letters.splice(at, next() < 0.7 ? 1 : 0, ...(next() < 0.7 ? [letter] : []))
  }
  return letters.join('')
}

function withErrors(count, seed, make) {
  const next = mulberry32(seed)
  const pick = (list) => list[Math.floor(next() * list.length)]
  const rows = []
  while (rows.length < count) rows.push(rows.length > 9 && next() < 0.2 ? misspelt(pick(rows), next) : make(pick, next))
  return rows
}

const words = Object.keys(names).filter((name) => /^[A-Za-z]{3,12}$/.test(name))
const given = words.filter((_, i) => i % 60 === 0)
const family = words.filter((_, i) => i % 9 === 1)
const trades = 'Bakery Systems Holdings Partners Logistics Foods Media Consulting Energy Services'.split(' ')
const forms = 'Ltd Inc GmbH LLC AG plc'.split(' ')
const ways = 'Street Road Avenue Lane Drive'.split(' ')
const towns = words.filter((_, i) => i % 250 === 2)

function letters(count, length, seed) {
  const next = mulberry32(seed)
  return Array.from({ length: count }, () => Array.from({ length }, () => LETTERS[Math.floor(next() * 26)]).join(''))
}

export const ROWS = {
  persons: (count) => withErrors(count, 1, (pick) => `${pick(family)}, ${pick(given)}`),
  companies: (count) => withErrors(count, 2, (pick) => `${pick(family)} ${pick(trades)} ${pick(forms)}`),
  addresses: (count) =>
    withErrors(count, 3, (pick, next) => {
      const number = 1 + Math.floor(next() * 400)
      return `${number} ${pick(family)} ${pick(ways)}, ${10_000 + Math.floor(next() * 90_000)} ${pick(towns)}`
    }),
  'sentences of 200 characters': (count) =>
    withErrors(count, 4, (pick) =>
      Array.from({ length: 40 }, () => pick(towns))
        .join(' ')
        .slice(0, 200),
    ),
  '8 random letters': (count) => letters(count, 8, 5),
  '20 random letters': (count) => letters(count, 20, 6),
  '200 random letters': (count) => letters(count, 200, 7),
  'anagrams of 24 letters': (count) => {
    const next = mulberry32(8)
    return Array.from({ length: count }, () =>
      [...LETTERS.slice(0, 24)]
        .map((letter) => [next(), letter])
        .sort(([a], [b]) => a - b)
        .map(([, letter]) => letter)
        .join(''),
    )
  },
}
