import { expect, test } from 'vitest'
import { writeCell } from '../src/csv.ts'

test.each([
  { name: 'text as it is', cell: 'Paris', written: 'Paris' },
  { name: 'nothing', cell: '', written: '' },
  { name: 'white space at the ends', cell: ' a ', written: ' a ' },
  { name: 'a separator', cell: 'Paris, TX', written: '"Paris, TX"' },
  { name: 'a quote, doubled', cell: 'a "b"', written: '"a ""b"""' },
  { name: 'line breaks of both kinds', cell: 'a\r\nb', written: '"a\r\nb"' },
  { name: 'a byte-order mark in front', cell: '\uFEFFa', written: '"\uFEFFa"' },
  { name: 'a byte-order mark inside', cell: 'a\uFEFF', written: 'a\uFEFF' },
])('a cell of CSV: $name', ({ cell, written }) => expect(writeCell(cell)).toBe(written))
