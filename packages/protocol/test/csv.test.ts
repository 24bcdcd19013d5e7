import { expect, test } from 'vitest'
import { writeCell, writeRow } from '../src/csv.ts'

test.each([
  { name: 'ordinary text', cell: 'Paris', written: 'Paris' },
  { name: 'empty', cell: '', written: '' },
  { name: 'surrounding white space', cell: ' a ', written: ' a ' },
  { name: 'a separator', cell: 'Paris, TX', written: '"Paris, TX"' },
  { name: 'quotes', cell: 'a "b"', written: '"a ""b"""' },
  { name: 'line breaks of both kinds', cell: 'a\r\nb', written: '"a\r\nb"' },
  { name: 'a leading byte-order mark', cell: '\uFEFFa', written: '"\uFEFFa"' },
  { name: 'a byte-order mark inside', cell: 'a\uFEFF', written: 'a\uFEFF' },
])('CSV cell: $name', ({ cell, written }) => expect(writeCell(cell)).toBe(written))

test.each([
  { name: 'several cells', cells: ['a', 'b, c', ''], written: 'a,"b, c",' },
  { name: 'one cell', cells: ['a'], written: 'a' },
  { name: 'one empty cell', cells: [''], written: '""' },
  { name: 'empty cells', cells: ['', ''], written: ',' },
])('CSV row: $name', ({ cells, written }) => expect(writeRow(cells)).toBe(written))
