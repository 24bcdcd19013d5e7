import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toCsv } from '../../src/dashboard/csv.ts'

describe('a file for spreadsheets', () => {
  test.each([
    { name: 'text', cell: 'abc', text: 'abc' },
    { name: 'nothing', cell: null, text: '' },
    { name: 'a number, which no formula hides in', cell: -1.5, text: '-1.5' },
    { name: 'a comma', cell: 'a,b', text: '"a,b"' },
    { name: 'a quote', cell: 'a"b', text: '"a""b"' },
    { name: 'a line break', cell: 'a\nb', text: '"a\nb"' },
    { name: 'a formula', cell: '=1+1', text: "'=1+1" },
    { name: 'a formula by a plus', cell: '+1', text: "'+1" },
    { name: 'a formula by a minus', cell: '-1', text: "'-1" },
    { name: 'a formula by an at', cell: '@a', text: "'@a" },
    { name: 'a formula behind a blank', cell: ' =1', text: "' =1" },
    { name: 'a formula behind a tab', cell: '\t=1', text: "'\t=1" },
    { name: 'a formula behind a line break', cell: '\r=1', text: '"\'\r=1"' },
    { name: 'a full-width formula', cell: '＝1', text: "'＝1" },
    { name: 'a formula that a comma would part', cell: '=A(1,2)', text: '"\'=A(1,2)"' },
    { name: 'an equals sign in the middle', cell: 'a=b', text: 'a=b' },
  ])('$name', ({ cell, text }) => {
    expect(toCsv([[cell, 'end']])).toBe(`${text},end\r\n`)
  })

  test('no cell begins a formula, and each row has as many cells as it had', () => {
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

/** RFC 4180, one character at a time. */
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
