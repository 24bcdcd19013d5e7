import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toCsv } from '../../src/dashboard/csv.ts'

describe('CSV for spreadsheets', () => {
  test.each([
    { name: 'text', cell: 'abc', text: 'abc' },
    { name: 'an empty cell', cell: null, text: '' },
    { name: 'a number, which cannot be a formula', cell: -1.5, text: '-1.5' },
    { name: 'a comma', cell: 'a,b', text: '"a,b"' },
    { name: 'a quote', cell: 'a"b', text: '"a""b"' },
    { name: 'a line break', cell: 'a\nb', text: '"a\nb"' },
    { name: 'a formula', cell: '=1+1', text: "'=1+1" },
    { name: 'a formula that starts with a plus', cell: '+1', text: "'+1" },
    { name: 'a formula that starts with a minus', cell: '-1', text: "'-1" },
    { name: 'a formula that starts with an at sign', cell: '@a', text: "'@a" },
    { name: 'a formula after a space', cell: ' =1', text: "' =1" },
    { name: 'a formula after a tab', cell: '\t=1', text: "'\t=1" },
    { name: 'a formula after a line break', cell: '\r=1', text: '"\'\r=1"' },
    { name: 'a full-width formula', cell: '＝1', text: "'＝1" },
    { name: 'a formula with a comma', cell: '=A(1,2)', text: '"\'=A(1,2)"' },
    { name: 'an equals sign in the middle', cell: 'a=b', text: 'a=b' },
  ])('$name', ({ cell, text }) => {
    expect(toCsv([[cell, 'end']])).toBe(`${text},end\r\n`)
  })

  test('no cell starts a formula, and each row keeps its number of cells', () => {
    const cell = fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', ' ', ',', '"', '\r', '\n', 'a') })
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 4 }), (rows) => {
        const read = readCsv(toCsv(rows))
        expect(read.map((row) => row.length)).toEqual(rows.map((row) => row.length))
        for (const [i, row] of read.entries())
          for (const [j, text] of row.entries()) {
            expect(text).not.toMatch(/^\s*[=+\-@]/)
            expect([rows[i]?.[j], `'${rows[i]?.[j]}`]).toContain(text.startsWith("'") ? text : rows[i]?.[j])
          }
      }),
    )
  })
})

/** Parses CSV (RFC 4180) character by character. */
function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = ['']
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i)
    if (quoted && character === '"' && text.charAt(i + 1) === '"') row[row.length - 1] += text.charAt(++i)
    else if (character === '"') quoted = !quoted
    else if (!quoted && character === ',') row.push('')
    else if (!quoted && character === '\r') {
      rows.push(row)
      row = ['']
      i++
    } else row[row.length - 1] += character
  }
  return rows
}
