import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellsOf, fuzzyKeys, headerText, judgeRows, readRows, Stopped, writeRows } from '../../src/index.ts'
import { firstEqual, keptOf, readCsv, writeCsv } from '../reference/exact.ts'

const PLAIN = { keyColumns: [] as number[], hasHeader: true, caseSensitive: true }

function cells(csv: string): string[][] {
  const rows = readRows(csv, { hasHeader: false })
  return Array.from({ length: rows.count }, (_, row) => cellsOf(rows, row))
}

function dedupe(csv: string, given: Partial<typeof PLAIN> = {}): string {
  const options = { ...PLAIN, ...given }
  const rows = readRows(csv, options)
  return writeRows(rows, judgeRows(rows, options))
}

describe('2.2 rows: reading CSV, nothing is an error and nothing is lost', () => {
  test.each([
    { name: 'empty data has no rows', csv: '', rows: [] },
    { name: 'a lone break is one row of one empty cell', csv: '\n', rows: [['']] },
    { name: 'a break at the very end starts no row', csv: 'a\r\n', rows: [['a']] },
    { name: 'a second one is a row of one empty cell', csv: 'a\n\n', rows: [['a'], ['']] },
    { name: 'a blank line in between is a row', csv: 'a\n\nb', rows: [['a'], [''], ['b']] },
    {
      name: 'CR alone breaks rows',
      csv: 'a,1\rb,2\r',
      rows: [
        ['a', '1'],
        ['b', '2'],
      ],
    },
    { name: 'all breaks in one text', csv: 'a\r\nb\rc\nd', rows: [['a'], ['b'], ['c'], ['d']] },
    { name: 'LF CR is two breaks', csv: 'a\n\rb', rows: [['a'], [''], ['b']] },
    { name: 'U+2028 and U+0085 break nothing', csv: 'a\u2028b\u0085c', rows: [['a\u2028b\u0085c']] },
    {
      name: 'a comma at the end opens an empty cell',
      csv: 'a,\nb,',
      rows: [
        ['a', ''],
        ['b', ''],
      ],
    },
    { name: 'a comma alone is two empty cells', csv: ',', rows: [['', '']] },
    { name: 'ragged rows stay ragged', csv: 'a\nb,c,d\ne,f', rows: [['a'], ['b', 'c', 'd'], ['e', 'f']] },
    { name: 'a leading byte-order mark goes', csv: '\ufeffa,b', rows: [['a', 'b']] },
    { name: 'once', csv: '\ufeff\ufeffa', rows: [['\ufeffa']] },
    { name: 'also in front of a quote', csv: '\ufeff"a,b"', rows: [['a,b']] },
    { name: 'and alone it is empty data', csv: '\ufeff', rows: [] },
    { name: 'elsewhere it is data', csv: 'a\n\ufeffb,\ufeff', rows: [['a'], ['\ufeffb', '\ufeff']] },
    { name: 'no other delimiter', csv: 'a;b\tc|d', rows: [['a;b\tc|d']] },
    { name: 'blanks are data', csv: ' a , b ', rows: [[' a ', ' b ']] },
    { name: 'quotes hold commas and breaks', csv: '"a,b","c\r\nd","e\rf"', rows: [['a,b', 'c\r\nd', 'e\rf']] },
    { name: 'a doubled quote is one', csv: '"a ""b"" c","""",""""""', rows: [['a "b" c', '"', '""']] },
    { name: 'an empty quoted cell is empty', csv: '"",a\n""', rows: [['', 'a'], ['']] },
    {
      name: 'a quote inside a bare cell is text',
      csv: `6'5",10\na""b,"`,
      rows: [
        [`6'5"`, '10'],
        ['a""b', ''],
      ],
    },
    { name: 'a blank in front of the quote makes the cell bare', csv: '1, "x, y"', rows: [['1', ' "x', ' y"']] },
    { name: 'an unterminated quote runs to the end', csv: 'a\n1,"b\n2,c', rows: [['a'], ['1', 'b\n2,c']] },
    { name: 'breaks at the end belong to it', csv: '"a\n\n', rows: [['a\n\n']] },
    { name: 'a doubled quote at the end closes nothing', csv: '"a""', rows: [['a"']] },
    { name: 'three close', csv: '"a"""', rows: [['a"']] },
    { name: 'a lone quote is an empty cell', csv: '"', rows: [['']] },
    { name: 'two quotes are an empty cell, three one quote', csv: '""\n"""', rows: [[''], ['"']] },
    {
      name: 'text behind a closing quote makes the cell bare',
      csv: '1,"C" Street,2\n3,4',
      rows: [
        ['1', '"C" Street', '2'],
        ['3', '4'],
      ],
    },
    { name: 'with commas and breaks that the quotes held', csv: '"a,\nb"c,d\ne', rows: [['"a,\nb"c', 'd'], ['e']] },
    { name: 'and doubled quotes as they stand', csv: '"a""b"c"d",e', rows: [['"a""b"c"d"', 'e']] },
    { name: 'a blank behind the closing quote as well', csv: '"a" ,b', rows: [['"a" ', 'b']] },
    { name: 'quotes behind it open nothing', csv: '"a"b"\n"c,d', rows: [['"a"b"'], ['c,d']] },
    { name: 'NUL and control characters are data', csv: 'a\0b,\u0001\v\f', rows: [['a\0b', '\u0001\v\f']] },
    { name: 'lone surrogates are data', csv: '\ud800,"\udc00"', rows: [['\ud800', '\udc00']] },
  ])('$name', ({ csv, rows }) => {
    expect(cells(csv)).toEqual(rows)
    expect(readCsv(csv)).toEqual(rows)
  })
})

describe('2.3 rows: writing CSV', () => {
  test.each([
    { name: 'rows are joined by LF, without one at the end', csv: 'a\r\nb\rc\r\n', result: 'a\nb\nc' },
    { name: 'needless quotes are not written back', csv: '"a","b c"\n" d "', result: 'a,b c\n d ' },
    {
      name: 'commas, quotes, CR and LF are quoted',
      csv: '"a,b","c""d"\n"e\rf","g\nh"',
      result: '"a,b","c""d"\n"e\rf","g\nh"',
    },
    { name: 'a quote in a bare cell is quoted and doubled', csv: '5" pipe', result: '"5"" pipe"' },
    { name: 'formulas and leading noughts are untouched', csv: '=1+1,007,+49,1e5', result: '=1+1,007,+49,1e5' },
    { name: 'a row of one empty cell at the end is a break at the end', csv: 'h\na\n\n', result: 'h\na\n' },
  ])('$name', ({ csv, result }) => expect(dedupe(csv)).toBe(result))

  test('reading back what was written gives the same cells', () => {
    const cell = fc
      .array(fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'é', '\ufeff'), { maxLength: 6 })
      .map((list) => list.join(''))
    // What the form can't say: a mark in front of everything is stripped, one empty cell at the very end is no row.
    const list = fc
      .array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 })
      .filter((rows) => !rows[0]?.[0]?.startsWith('\ufeff') && rows.at(-1)?.join(',') !== '')
    fc.assert(
      fc.property(list, (rows) => {
        const csv = writeCsv(rows)
        expect(cells(csv)).toEqual(rows)
        const read = readRows(csv, { hasHeader: false })
        const all = Int32Array.from({ length: read.count }, (_, row) => row)
        expect(writeRows(read, { survivorOf: all, kept: read.count, removed: 0 })).toBe(csv)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('2.2 rows: which rows are duplicates', () => {
  test.each([
    { name: 'the header takes no part', csv: 'a\na\na', result: 'a\na' },
    { name: 'without header the first row does', csv: 'a\na', given: { hasHeader: false }, result: 'a' },
    { name: 'a header alone comes back alone', csv: 'a,b\r\n', result: 'a,b' },
    { name: 'a blank first line is a header', csv: '\n1\n1', result: '\n1' },
    { name: 'rows compare by cells: quotes make no difference', csv: 'h\n"a","1"\na,1', result: 'h\na,1' },
    { name: 'rows of different numbers of cells differ', csv: 'h\na\na,\na,,', result: 'h\na\na,\na,,' },
    { name: 'one cell with a comma is not two cells', csv: 'h\n"a,b"\na,b', result: 'h\n"a,b"\na,b' },
    { name: 'a doubled quote is not two', csv: 'h\n"""",b\n"""""",b', result: 'h\n"""",b\n"""""",b' },
    { name: 'a break in a cell counts as it is', csv: 'h\n"a\r\nb"\n"a\nb"\n"a\r\nb"', result: 'h\n"a\r\nb"\n"a\nb"' },
    { name: 'a key column', csv: 'h,i\n1,a\n2,b\n1,c', given: { keyColumns: [0] }, result: 'h,i\n1,a\n2,b' },
    {
      name: 'two key columns are not joined',
      csv: 'h,i\na,bc\nab,c',
      given: { keyColumns: [0, 1] },
      result: 'h,i\na,bc\nab,c',
    },
    {
      name: 'whatever the cells hold',
      csv: 'h,i\n"a,b",c\na,"b,c"\n"a""",c\na,"""c"',
      given: { keyColumns: [0, 1] },
      result: 'h,i\n"a,b",c\na,"b,c"\n"a""",c\na,"""c"',
    },
    {
      name: 'separators of other tools are no separators',
      csv: 'h,i\na\u001fb,c\na,b\u001fc\na\0b,c\na,b\0c',
      given: { keyColumns: [0, 1] },
      result: 'h,i\na\u001fb,c\na,b\u001fc\na\0b,c\na,b\0c',
    },
    {
      name: 'a missing cell is an empty one',
      csv: 'h,i\n1\n1,\n1,x',
      given: { keyColumns: [1] },
      result: 'h,i\n1\n1,x',
    },
    {
      name: 'so are several',
      csv: 'h\n1,a\n1,a,\n1,a,,\n1,a,,b',
      given: { keyColumns: [3, 2, 1] },
      result: 'h\n1,a\n1,a,,b',
    },
    {
      name: 'an empty cell in front counts by its place',
      csv: 'h\n,a\na,',
      given: { keyColumns: [0, 1] },
      result: 'h\n,a\na,',
    },
    { name: 'a column beyond all rows makes all alike', csv: 'h\n1\n2,3', given: { keyColumns: [9] }, result: 'h\n1' },
    {
      name: 'beyond all numbers too',
      csv: 'h\n1\n2',
      given: { keyColumns: [Number.POSITIVE_INFINITY, 1e300] },
      result: 'h\n1',
    },
    {
      name: 'the order of key columns makes no difference',
      csv: 'h\n1,2\n2,1\n1,2',
      given: { keyColumns: [1, 0] },
      result: 'h\n1,2\n2,1',
    },
    { name: 'a column named twice counts once', csv: 'h\n1,2\n1,3', given: { keyColumns: [0, 0] }, result: 'h\n1,2' },
    { name: 'case counts', csv: 'h\nA\na', result: 'h\nA\na' },
    {
      name: 'unless told otherwise: the first spelling comes back',
      csv: 'h\nA@X.io\na@x.IO',
      given: { caseSensitive: false },
      result: 'h\nA@X.io',
    },
    {
      name: 'each cell is lower-cased for itself: a sigma at its end is final',
      csv: 'h\nΑΣ,Β\nας,β\nασ,β',
      given: { caseSensitive: false },
      result: 'h\nΑΣ,Β\nασ,β',
    },
    { name: 'the header is as it was', csv: 'A,"B"\na,b', given: { caseSensitive: false }, result: 'A,B\na,b' },
  ])('$name', ({ csv, given, result }) => expect(dedupe(csv, given)).toBe(result))
})

test('rows agree with comparing all pairs of cells, under every combination of options', () => {
  const pieces = fc.constantFrom('a', 'A', 'b', ',', ',', '"', '""', '\n', '\r\n', '\r', ' ', 'Σ', 'σ', 'ς', '\ufeff')
  const texts = fc.array(pieces, { maxLength: 40 }).map((list) => list.join(''))
  const options = fc.record({
    keyColumns: fc.array(fc.nat(3), { maxLength: 4 }),
    hasHeader: fc.boolean(),
    caseSensitive: fc.boolean(),
  })
  fc.assert(
    fc.property(texts, options, (csv, given) => {
      const all = readCsv(csv)
      const header = given.hasHeader ? all.slice(0, 1) : []
      const data = all.slice(header.length)
      const keys = data.map((row) => {
        const chosen = given.keyColumns.length === 0 ? row : given.keyColumns.map((column) => row[column] ?? '')
        return JSON.stringify(given.caseSensitive ? chosen : chosen.map((cell) => cell.toLowerCase()))
      })
      const survivorOf = firstEqual(keys)
      const rows = readRows(csv, given)
      const verdicts = judgeRows(rows, given)
      expect(rows.count).toBe(data.length)
      expect([...verdicts.survivorOf]).toEqual(survivorOf)
      expect(writeRows(rows, verdicts)).toBe(writeCsv([...header, ...keptOf(data, survivorOf)]))
      expect(headerText(rows)).toBe(header.length === 0 ? undefined : writeCsv(header))
      expect(verdicts.kept + verdicts.removed).toBe(data.length)
    }),
    { numRuns: 3_000 },
  )
})

describe('fuzzy keys: the chosen cells, joined by one space', () => {
  test.each([
    { name: 'all cells without key columns', keyColumns: [], keys: ['a b,c d', 'e'] },
    { name: 'the chosen ones', keyColumns: [2, 0], keys: ['a d', 'e'] },
    { name: 'a missing cell is empty', keyColumns: [1], keys: ['b,c', ''] },
    { name: 'a column named twice counts once', keyColumns: [0, 0], keys: ['a', 'e'] },
  ])('$name', ({ keyColumns, keys }) => {
    expect(fuzzyKeys(readRows('h\na,"b,c",d\ne', { hasHeader: true }), keyColumns)).toEqual(keys)
  })
})

describe('the work is bounded by the length of the text', () => {
  test.each([
    { name: 'a quote that never closes', csv: '"'.repeat(1_000_001), rows: 1 },
    { name: 'cells that each open a quote', csv: '"a,'.repeat(300_000), rows: 1 },
    { name: 'text behind every closing quote', csv: '"a"b,'.repeat(300_000), rows: 1 },
    { name: 'a million empty cells', csv: ','.repeat(1_000_000), rows: 1 },
    { name: 'a million blank lines', csv: '\n'.repeat(1_000_000), rows: 1_000_000 },
  ])('$name', ({ csv, rows }) => {
    expect(readRows(csv, { hasHeader: false }).count).toBe(rows)
    expect(dedupe(csv, { hasHeader: false }).length).toBeLessThan(csv.length * 2)
  })

  test('many rows, many key columns, and one row that has them all', () => {
    const csv = `${'a,b\n'.repeat(50_000)}${','.repeat(200_000)}x`
    const keyColumns = Array.from({ length: 200_001 }, (_, column) => column)
    expect(dedupe(csv, { hasHeader: false, keyColumns }).startsWith('a,b\n,,')).toBe(true)
  })

  // Hot code once searched the rest of the text for a quote that nobody had asked about.
  test('a bare cell costs its own length, also once the code is hot', () => {
    const csv = Array.from({ length: 60_000 }, (_, row) => `${row},name ${row},${row}@x.io`).join('\n')
    const quoted = csv.replaceAll(/name ([0-9]+)/g, '"name, $1"')
    for (let turn = 0; turn < 3; turn += 1) expect(dedupe(quoted, { keyColumns: [1, 2] })).toBe(quoted)
    for (let turn = 0; turn < 3; turn += 1) expect(dedupe(csv, { keyColumns: [2] })).toBe(csv)
  })
})

describe('csv-spectrum: the cells that its authors expect', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('csv-spectrum'))
  // One of them has another telephone number in its answer than in its question.
  const files = readdirSync(join(folder, 'csvs')).filter((file) => file !== 'location_coordinates.csv')
  test.each(files.map((file) => ({ file })))('$file', ({ file }) => {
    const rows = cells(readFileSync(join(folder, 'csvs', file), 'utf8'))
    const expected: unknown = JSON.parse(readFileSync(join(folder, 'json', file.replace('.csv', '.json')), 'utf8'))
    const [header = [], ...data] = rows
    expect(data.map((row) => Object.fromEntries(header.map((name, column) => [name, row[column]])))).toEqual(expected)
  })
})

test('work that is told to stop ends with Stopped', () => {
  expect(() => judgeRows(readRows('a\nb', PLAIN), PLAIN, () => true)).toThrow(Stopped)
})
