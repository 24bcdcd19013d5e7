import { describe, expect, test } from 'vitest'
import { adviceFor, recognise } from '../src/try/recognise.ts'

const guess = (text: string, name?: string, wholeLength = text.length) => recognise({ text, name, wholeLength })
const repeated = (line: string, times: number): string => Array.from({ length: times }, () => line).join('\n')

describe('the format of a list', () => {
  test.each([
    {
      what: 'CSV',
      text: 'id,name,city\n1,a,x\n2,b,y',
      says: 'like CSV: 2 rows, 3 columns',
      mode: 'rows',
      separator: ',',
    },
    {
      what: 'CSV of two columns',
      text: 'id,name\n1,a\n2,b',
      says: 'like CSV: 2 rows, 2 columns',
      mode: 'rows',
      separator: ',',
    },
    {
      what: 'CSV with commas and line breaks inside quotes',
      text: 'id,name,n\n1,"a,\nb",2\n2,c,3',
      says: '2 rows, 3 columns',
      mode: 'rows',
      separator: ',',
    },
    {
      what: 'CSV with a byte-order mark and CR LF',
      text: '\ufeff"a",b,c\r\n1,2,3\r\n',
      says: '1 row, 3 columns',
      mode: 'rows',
      separator: ',',
    },
    {
      what: 'a ragged row among many',
      text: `a,b,c\n${repeated('1,2,3', 9)}\n1,2`,
      says: '10 rows, 3 columns',
      mode: 'rows',
      separator: ',',
    },
    {
      what: 'semicolons as separators, and decimal commas',
      text: 'id;name;price\n1;a;1,5\n2;b;2,5',
      says: 'separated by semicolons: 2 rows, 3 columns',
      mode: 'rows',
      separator: ';',
    },
    {
      what: 'tabs, as copied from a spreadsheet',
      text: 'id\tname\n1\ta\n2\tb',
      says: 'separated by tabs: 2 rows, 2 columns',
      mode: 'rows',
      separator: '\t',
    },
    { what: 'a JSON array', text: ' [1, {"a": 2}]', says: 'like JSON: 2 items', mode: 'json', separator: ',' },
    {
      what: 'JSON Lines',
      text: '{"a":1}\n\n{"a":2}\n',
      says: 'like JSON Lines: 2 values',
      mode: 'json',
      separator: ',',
    },
    {
      what: 'JSON Lines of arrays',
      text: '[1,2]\n[3]',
      says: 'like JSON Lines: 2 values',
      mode: 'json',
      separator: ',',
    },
  ])('$what', ({ text, says, mode, separator }) => {
    expect(guess(text)).toMatchObject({ mode, separator, sentence: expect.stringContaining(says) })
  })

  test.each([
    {
      what: 'a .csv file is CSV, even with one column',
      name: 'a.csv',
      text: 'name\na\nb',
      says: '2 rows, 1 column',
    },
    {
      what: 'numbers in an .ndjson file are JSON Lines',
      name: 'a.ndjson',
      text: '1\n2',
      says: 'JSON Lines: 2 values',
    },
    {
      what: 'a .CSV file is CSV, even with spaces after commas',
      name: 'a.CSV',
      text: 'a,b\n1, 2\n3, 4',
      says: '2 rows, 2 columns',
    },
  ])('$what', ({ name, text, says }) => expect(guess(text, name)?.sentence).toContain(says))

  test.each([
    { what: 'addresses', text: 'ana@example.com\nben@example.com\ncleo@example.com' },
    { what: 'names with the surname first', text: 'Smith, John\nJones, Mary\nPrado, Ana' },
    { what: 'sentences', text: 'Well, that is it.\nNo, it is not.\nOh.' },
    { what: 'one line', text: 'a,b,c' },
    { what: 'numbers', text: '1\n2\n3' },
    { what: 'lines in brackets', text: '[a]\n[b]' },
    { what: 'one object', text: '{"a":1}' },
    { what: 'nothing', text: '' },
  ])('$what: plain lines', ({ text }) => expect(guess(text)).toBeUndefined())

  test('the length of a long list is estimated from its beginning', () => {
    const text = `a,b,c\n${repeated('1,2,3', 1_000)}\n1,2`
    expect(guess(text, 'a.csv', text.length * 10)?.sentence).toBe('This looks like CSV: about 10,000 rows, 3 columns.')
    expect(guess(`[${repeated('{"a":1},', 10)}`, 'a.json', 1e6)?.sentence).toBe('This looks like JSON.')
    expect(guess(`${repeated('{"a":1}', 100)}\n{"a`, undefined, 8_030)?.sentence).toBe(
      'This looks like JSON Lines: about 1,000 values.',
    )
  })
})

describe('a file that is not text gets advice', () => {
  test.each([
    { what: 'a workbook', bytes: [0x50, 0x4b, 3, 4, 20], says: 'CSV UTF-8' },
    { what: 'an old workbook', bytes: [0xd0, 0xcf, 0x11, 0xe0], says: 'CSV UTF-8' },
    { what: 'gzip', bytes: [0x1f, 0x8b, 8], says: 'gzip' },
    { what: 'UTF-16', bytes: [0xff, 0xfe, 0x61, 0], says: 'UTF-16' },
  ])('$what', ({ bytes, says }) => expect(adviceFor(Uint8Array.from(bytes))).toContain(says))

  test('there is no advice for text', () => {
    expect(adviceFor(new TextEncoder().encode('PK,name'))).toBeUndefined()
    expect(adviceFor(new Uint8Array())).toBeUndefined()
  })
})
