import { describe, expect, test } from 'vitest'
import {
  NotJson,
  type StreamOptions,
  siftFuzzyRows,
  siftJson,
  siftLines,
  siftRows,
  TooLong,
} from '../../src/stream/index.ts'
import { seed } from '../support/seed.ts'
import { deduplicateFiles } from './deduplicate.ts'

const lines = (stream: StreamOptions) => siftLines({ trim: false, ignoreCase: false, dropEmpty: false }, stream)
const rows = (stream: StreamOptions) => siftRows({ keyColumns: [], hasHeader: true, caseSensitive: true }, stream)
const fuzzyRows = (stream: StreamOptions) =>
  siftFuzzyRows({ keyColumns: [], hasHeader: true, judgeKeys: allDifferent }, stream)
const json = (stream: StreamOptions) => siftJson({ key: '', isLines: false }, stream)

/** A judge of keys to whom none is like another. */
function allDifferent({ length }: readonly string[]) {
  return { survivorOf: Int32Array.from({ length }, (_, at) => at), kept: length, removed: 0 }
}

/** Longer than what is scanned again with each chunk. */
const LONG = 'x'.repeat(140_000)

describe('the output ends like the input', () => {
  test.each([
    { name: 'an empty file gives empty output', files: [''], output: '' },
    { name: 'a final line break ends the last line', files: ['a\nb\n'], output: 'a\nb\n' },
    { name: 'no final line break', files: ['a\nb'], output: 'a\nb' },
    { name: 'the last line is a duplicate without a break', files: ['a\nb\na'], output: 'a\nb' },
    { name: 'the last line is a duplicate with a break', files: ['a\nb\na\n'], output: 'a\nb\n' },
    { name: 'each line keeps its own break', files: ['a\r\nb\rc\na\r\nd\n'], output: 'a\r\nb\rc\nd\n' },
    { name: 'CR alone', files: ['a\rb\ra\r'], output: 'a\rb\r' },
    { name: 'CR and LF that come together stay two breaks', files: ['a\nb\ra\n\n'], output: 'a\nb\r\n\n' },
    { name: 'the same across files', files: ['a\nb\r', '', 'a\n\n'], output: 'a\nb\r\n\n' },
    { name: 'CR stays alone before an LF that is not written', files: ['a\ra\r\n\na'], output: 'a\r' },
    { name: 'an empty line is a line', files: ['\n\na\n\n'], output: '\na\n' },
    { name: 'files are one list', files: ['a\nb\n', 'b\nc\n'], output: 'a\nb\nc\n' },
    { name: 'the end of a file ends its last line', files: ['a\nb', 'c\na'], output: 'a\nb\nc' },
    {
      name: 'the missing line break between files is that of the input',
      files: ['a\r\nb', 'c'],
      output: 'a\r\nb\r\nc',
    },
    {
      name: 'the same when the end of a long line arrives with the end of the file',
      files: [`${LONG}\r\nb`, 'c'],
      output: `${LONG}\r\nb\r\nc`,
    },
    { name: 'a kept line without a line break, then a removed one with it', files: ['a', 'a\n'], output: 'a\n' },
    { name: 'empty files change nothing', files: ['', 'a\n', '', 'b', ''], output: 'a\nb' },
    { name: 'a byte-order mark is data', files: ['\ufeffa\na\n'], output: '\ufeffa\na\n' },
  ])('lines: $name', ({ files, output }) => {
    for (const lengths of [[1_000], [1], [2, 3]])
      expect(deduplicateFiles(files, lines, { lengths }).output).toBe(output)
  })

  test.each([
    {
      name: 'later headers that equal the first one are removed',
      files: ['h,i\n1,2\n', 'h,i\n1,2\n3,4\n'],
      output: 'h,i\n1,2\n3,4\n',
    },
    { name: 'headers are compared by their cells', files: ['h,i\n1,2\n', '"h","i"\n3,4\n'], output: 'h,i\n1,2\n3,4\n' },
    { name: 'a later header that differs is a row', files: ['h\n1\n', 'g\n1\n'], output: 'h\n1\ng\n' },
    { name: 'a header is not a duplicate', files: ['h\nh\nh\n'], output: 'h\nh\n' },
    {
      name: 'only the first byte-order mark is kept',
      files: ['\ufeffh\n1\n', '\ufeffh\n2\n'],
      output: '\ufeffh\n1\n2\n',
    },
    {
      name: 'if the first file has no byte-order mark, none is kept',
      files: ['h\n1\n', '\ufeffh\n2\n'],
      output: 'h\n1\n2\n',
    },
    { name: 'quotes of a row are kept', files: ['h\n"1"\n1\n"2"\n'], output: 'h\n"1"\n"2"\n' },
    { name: 'line breaks inside cells are kept', files: ['h\r\n"a\nb"\r\n"a\nb"\r\n'], output: 'h\r\n"a\nb"\r\n' },
    { name: 'an open quote runs to the end', files: ['h\n"a\nb'], output: 'h\n"a\nb' },
    { name: 'an open quote is closed before another file', files: ['h\n"a\nb', 'h\nc\n'], output: 'h\n"a\nb"\nc\n' },
    { name: 'the same for a quote alone', files: ['h\na,"', 'c'], output: 'h\na,""\nc' },
    { name: 'the same after a doubled quote', files: ['h\n"a""', 'c'], output: 'h\n"a"""\nc' },
    { name: 'the same for a header', files: ['"h', '"h"\nc'], output: '"h"\nc' },
    { name: 'the same if only duplicates follow', files: ['h\n"a', 'h\na\n'], output: 'h\n"a"\n' },
    { name: 'a quote within a cell is not open', files: ['h\na"', '"b" c', 'd'], output: 'h\na"\n"b" c\nd' },
    { name: 'a header alone', files: ['h'], output: 'h' },
  ])('rows: $name', ({ files, output }) => {
    for (const lengths of [[1_000], [1], [2, 3]]) expect(deduplicateFiles(files, rows, { lengths }).output).toBe(output)
  })

  test.each([
    { name: 'an array stays an array', files: ['[1, 1,\n 2]\n'], output: '[1,\n 2]\n' },
    { name: 'a removed last item leaves no comma', files: ['[1,2,1]'], output: '[1,2]' },
    { name: 'an empty array', files: [' [ ] '], output: ' [ ] ' },
    { name: 'arrays of several files become one', files: ['[1,2]', '[2,3]\n'], output: '[1,2,3]\n' },
    { name: 'the missing comma between files is that of the input', files: ['[1 ,2]', '[3]'], output: '[1 ,2 ,3]' },
    { name: 'an empty array first', files: ['[]', '[1]'], output: '[1]' },
    { name: 'one value per line', files: ['1\n1.0\n2\n'], output: '1\n2\n' },
    { name: 'no final line break', files: ['1\n2\n1\n3'], output: '1\n2\n3' },
    { name: 'one array per line', files: ['[1]\n[2]\n[1]\n'], output: '[1]\n[2]\n' },
    { name: 'an array over several lines', files: ['[\n1\n]\n'], output: '[\n1\n]\n' },
    { name: 'an object over several lines', files: ['{\n"a":1}\n{"a":1}\n'], output: '{\n"a":1}\n' },
    { name: 'a single line with an array is an array of items', files: ['[[1],[1]]\n'], output: '[[1]]\n' },
    { name: 'white space after an array', files: ['[1,2]\n', ' \n', '\ufeff\n', '[2,3]', '\n'], output: '[1,2,3]' },
    { name: 'white space after values', files: ['1\n', ' \n', '\ufeff\n', '2', '\n'], output: '1\n2' },
    { name: 'values in several files', files: ['1', '2\n1\n'], output: '1\n2\n' },
    { name: 'a byte-order mark', files: ['\ufeff[1,1]'], output: '\ufeff[1]' },
    { name: 'an empty file', files: [''], output: '' },
    { name: 'an empty file first', files: ['', '[1,1]'], output: '[1]' },
    { name: 'lone surrogates differ', files: ['["\\ud800","\\udfff","\\uD800"]'], output: '["\\ud800","\\udfff"]' },
  ])('json: $name', ({ files, output }) => {
    for (const lengths of [[1_000], [1], [2, 3]]) expect(deduplicateFiles(files, json, { lengths }).output).toBe(output)
  })
})

describe('an array on a first line of more than 64 KB is the whole input, however input is cut', () => {
  test.each([
    { bytes: 65_534, isLine: true },
    { bytes: 65_535, isLine: true },
    { bytes: 65_536, isLine: false },
    { bytes: 140_000, isLine: false },
  ])('an array of $bytes bytes', ({ bytes, isLine }) => {
    const array = `[${'1,'.repeat(bytes / 2 - 2)}${bytes % 2 === 0 ? '1 ' : '1  '}]`
    expect(array.length).toBe(bytes)
    for (const lengths of [[1_000], [65_535], [65_537], [300_000]]) {
      const deduplicate = () => deduplicateFiles([`${array}\n${array}\n`], json, { lengths })
      if (isLine) expect(deduplicate().output).toBe(`${array}\n`)
      else expect(deduplicate).toThrow('line 2, column 1: something follows the array')
    }
  })
})

describe('leading files with nothing but white space or a byte-order mark do not hide the first value', () => {
  const MARK = '\ufeff'
  const FORMS = {
    lines: { make: lines, file: 'a\na\n' },
    rows: { make: rows, file: 'h\n1\n1\n' },
    'a JSON array': { make: json, file: '[1,2,1]' },
    'JSON values': { make: json, file: '1\n2\n1\n' },
  }

  test.each([
    { form: 'lines', leading: ['', ''], output: 'a\n' },
    // In lines, white space and byte-order marks are data.
    { form: 'lines', leading: [' \n'], output: ' \na\n' },
    { form: 'lines', leading: [MARK, MARK], output: `${MARK}\na\n` },
    { form: 'rows', leading: ['', ''], output: 'h\n1\n' },
    { form: 'rows', leading: [MARK], output: `${MARK}h\n1\n` },
    { form: 'rows', leading: ['', MARK, MARK], output: `${MARK}h\n1\n` },
    // In rows, white space is a header.
    { form: 'rows', leading: [' \n', MARK], output: ' \nh\n1\n' },
    { form: 'a JSON array', leading: ['', ''], output: '[1,2]' },
    { form: 'a JSON array', leading: [MARK], output: `${MARK}[1,2]` },
    { form: 'a JSON array', leading: [MARK, MARK, ''], output: `${MARK}[1,2]` },
    { form: 'a JSON array', leading: [' \n', '\t'], output: '[1,2]' },
    { form: 'a JSON array', leading: [' \n', MARK], output: `${MARK}[1,2]` },
    { form: 'a JSON array', leading: [`${MARK} \n`, ''], output: `${MARK}[1,2]` },
    { form: 'JSON values', leading: ['', ''], output: '1\n2\n' },
    { form: 'JSON values', leading: [MARK, ' '], output: `${MARK}1\n2\n` },
    { form: 'JSON values', leading: [' \n', MARK, ''], output: `${MARK}1\n2\n` },
  ] as const)('$form after $leading', ({ form, leading, output }) => {
    const { make, file } = FORMS[form]
    for (const lengths of [[1_000], [1], [2, 3]]) {
      expect(deduplicateFiles([...leading, file], make, { lengths }).output).toBe(output)
    }
  })

  test.each(['rows', 'a JSON array', 'JSON values'] as const)(
    '%s with a byte-order mark of its own: the mark is written once',
    (form) => {
      const { make, file } = FORMS[form]
      const alone = deduplicateFiles([MARK + file], make).output
      for (const leading of [[''], [MARK], [MARK, '']]) {
        expect(deduplicateFiles([...leading, MARK + file], make).output).toBe(alone)
      }
    },
  )
})

describe('the first row of a later file is checked if it is not the header', () => {
  test.each([
    { files: ['h,i\n1,2\n', 'h,i\n3,4\n'], checked: [] },
    { files: ['h,i\n1,2\n', '"h",i\n3,4\n'], checked: [] },
    { files: ['', 'h,i\n1,2\n', ''], checked: [] },
    {
      files: ['h,i\n1,2\n', 'i,h\n3,4\n', '"a,""b""",\n'],
      checked: [
        ['i', 'h'],
        ['a,"b"', ''],
      ],
    },
    { files: ['h,i\n', '\ufeffi,h'], checked: [['i', 'h']] },
  ])('$files', ({ files, checked }) => {
    for (const lengths of [[1_000], [1]]) {
      const seen: (readonly string[])[] = []
      const checkFirstRow = (row: readonly string[]) => void seen.push(row)
      const options = { keyColumns: [], hasHeader: true, caseSensitive: true }
      const checking = deduplicateFiles(files, (stream) => siftRows({ ...options, checkFirstRow }, stream), { lengths })
      expect(seen).toEqual(checked)
      expect(checking).toEqual(deduplicateFiles(files, rows, { lengths }))
    }
  })
})

describe('bytes that are not UTF-8 are compared and returned unchanged', () => {
  const bytes = (text: string) => Buffer.from(text, 'latin1')
  test.each([
    { name: 'lines', make: lines, input: 'a\x80\na\x81\na\x80\n', kept: 2 },
    { name: 'rows', make: rows, input: 'h\n"\xff"\n\xff\n\xfe\n', kept: 2 },
    { name: 'json', make: json, input: '["\x80", "\x81", "\x80", "\\udc80"]', kept: 3 },
    { name: 'binary data', make: lines, input: '\0\x01\n\xff\n\0\x01\n\0', kept: 3 },
  ])('$name', ({ make, input, kept }) => {
    const parts: Buffer[] = []
    const answer = deduplicateFiles([bytes(input)], (stream) =>
      make({ ...stream, sink: { kept: (part) => parts.push(Buffer.from(part)) } }),
    )
    expect(answer.kept).toBe(kept)
    const output = Buffer.concat(parts).toString('latin1')
    for (const piece of output.split(/[\n,[\]] ?/)) expect(input).toContain(piece)
  })
})

describe('removed items are reported with positions from 1', () => {
  test.each([
    {
      name: 'lines',
      make: lines,
      files: ['a\nb\na\n', 'b'],
      dropped: [
        { item: 'a', position: 3, survivor: 1 },
        { item: 'b', position: 4, survivor: 2 },
      ],
    },
    {
      name: 'rows, without counting the header',
      make: rows,
      files: ['h\n1\n"1"\n'],
      header: 'h',
      dropped: [{ item: '"1"', position: 2, survivor: 1 }],
    },
    {
      name: 'rows, closing a quote that is open at the end of its file',
      make: rows,
      files: ['"h', '1\n"1', '1'],
      header: '"h"',
      dropped: [
        { item: '"1"', position: 2, survivor: 1 },
        { item: '1', position: 3, survivor: 1 },
      ],
    },
    { name: 'items', make: json, files: ['[1,2,1e0]'], dropped: [{ item: '1e0', position: 3, survivor: 1 }] },
  ])('$name', ({ make, files, header, dropped }) => {
    const answer = deduplicateFiles(files, make)
    expect(answer.dropped).toEqual(dropped)
    expect(answer.header).toBe(header)
  })
})

describe('input that is not JSON: the position of the fault', () => {
  test.each([
    {
      name: 'a value in an array',
      files: ['[1,\n  nil]'],
      message: 'line 2, column 4: unexpected il (up to column 5)',
    },
    { name: 'a value on its own line', files: ['1\n2\n{"a":}\n'], message: 'line 3, column 6: unexpected }' },
    {
      name: 'deep inside a long item',
      files: [`{"a":"${'x'.repeat(300_000)}","b":NaN}`],
      message: 'line 1, column 300013: unexpected NaN (up to column 300015)',
    },
    { name: 'a comma at the end', files: ['[1,]'], message: 'line 1, column 4: unexpected ]' },
    { name: 'a missing comma', files: ['[1 2]'], message: 'line 1, column 4: a comma is missing' },
    { name: 'a missing line break', files: ['1\n{}{}'], message: 'line 2, column 3: two values on one line' },
    { name: 'a space instead of a line break', files: ['{} {}'], message: 'line 1, column 4: two values on one line' },
    { name: 'text after a value', files: ['1}'], message: 'line 1, column 2: unexpected }' },
    { name: 'an unterminated array', files: ['[1,\n2'], message: 'line 2, column 2: the array does not end' },
    { name: 'an array that ends in a comma', files: ['[1,'], message: 'line 1, column 4: the array does not end' },
    { name: 'an array that has just begun', files: [' ['], message: 'line 1, column 3: the array does not end' },
    {
      name: 'an unterminated array in the first of several files',
      files: ['[1,', '[2]'],
      message: 'line 1, column 4: the array does not end',
    },
    { name: 'an unterminated value', files: ['1\n{"a":'], message: 'line 2, column 6: the value does not end' },
    { name: 'a truncated word', files: ['tru'], message: 'line 1, column 4: the value does not end' },
    { name: 'a truncated escape', files: ['["\\u00'], message: 'line 1, column 7: the array does not end' },
    { name: 'text after the array', files: ['[\n1]\n x'], message: 'line 3, column 2: something follows the array' },
    { name: 'a control character', files: ['["a\nb"]'], message: 'line 1, column 4: unexpected byte 0x0a' },
    { name: 'a NUL byte', files: ['[1,\0]'], message: 'line 1, column 4: unexpected byte 0x00' },
    {
      name: 'files in different layouts',
      files: ['[1]', '1'],
      message: 'line 1, column 1: this is one value per line, the first file is an array',
    },
    { name: 'lines are counted for each file', files: ['1\n2\n', '3\nx'], message: 'line 2, column 1: unexpected x' },
  ])('$name', ({ files, message }) => {
    for (const lengths of [[1_000], files.join('').length < 100 ? [1] : [65_537]]) {
      expect(() => deduplicateFiles(files, json, { lengths })).toThrow(
        expect.objectContaining({ name: 'NotJson', message }),
      )
    }
  })

  test('items before the fault are output first', () => {
    const parts: string[] = []
    const attempt = () =>
      deduplicateFiles(['[1,2,x]'], (stream) =>
        json({ ...stream, sink: { kept: (part) => parts.push(Buffer.from(part).toString()) } }),
      )
    expect(attempt).toThrow(NotJson)
    expect(parts.join('')).toBe('[1,2')
  })
})

describe('items longer than the window', () => {
  const long = 'x'.repeat(700_000)
  test.each([
    { name: 'lines', make: lines, input: `${long}\na\n${long}\na\n${long}y\n`, output: `${long}\na\n${long}y\n` },
    { name: 'rows', make: rows, input: `h\n"${long}\n"\n"${long}\n"\n`, output: `h\n"${long}\n"\n` },
    { name: 'json', make: json, input: `["${long}", 1, "${long}"]`, output: `["${long}", 1]` },
    {
      name: 'a line break after a long run of others',
      make: lines,
      input: `${'a\r'.repeat(200_000)}b`,
      output: 'a\rb',
    },
  ])('$name', ({ make, input, output }) => {
    for (const exact of [false, true]) {
      expect(deduplicateFiles([input], make, { lengths: [65_536], exact }).output === output).toBe(true)
    }
  })
})

describe('output of a live stream', () => {
  test.each([
    { name: 'a line', make: lines, pushed: ['a\n', 'b\r\n', 'a\n', 'c'], seen: ['a', '\nb', '', ''] },
    { name: 'a row', make: rows, pushed: ['h\n', '1\n', '1\n', '2\n'], seen: ['h', '\n1', '', '\n2'] },
    { name: 'a value on its own line', make: json, pushed: ['1\n', '2\n', '1\n'], seen: ['1', '\n2', ''] },
    {
      name: 'after a lone CR, which may be half of CR LF, a line',
      make: lines,
      pushed: ['a\r', 'b\n'],
      seen: ['', 'a\rb'],
    },
    { name: 'an item of an array', make: json, pushed: ['[\n1,', '1,', '2,'], seen: ['[\n1', '', ',2'] },
  ])('$name is written as soon as it is complete, its separator with the next survivor', ({ make, pushed, seen }) => {
    let out = ''
    const deduplicator = make({ random: seed(), exact: false, sink: { kept: (bytes) => (out += Buffer.from(bytes)) } })
    const shown = pushed.map((text) => {
      out = ''
      deduplicator.push(Buffer.from(text))
      return out
    })
    expect(shown).toEqual(seen)
  })
})

describe('an item that is longer than the memory allows', () => {
  const MEGABYTE = 1_048_576
  test.each([
    { name: 'a line', make: lines, before: 'a\n', after: '\n', memoryMegabytes: 4 },
    { name: 'a row', make: rows, before: 'h\na\n"', after: '"\n', memoryMegabytes: 8 },
    { name: 'a fuzzy row', make: fuzzyRows, before: 'h\na\n"', after: '"\n', memoryMegabytes: 8 },
    { name: 'a JSON value', make: json, before: '[1,"', after: '"]', memoryMegabytes: 16 },
  ])('$name is accepted up to the limit and refused beyond it', ({ make, before, after, memoryMegabytes }) => {
    const deduplicate = (length: number) =>
      deduplicateFiles([before + 'x'.repeat(length) + after], (stream) =>
        make({ ...stream, memoryBytes: memoryMegabytes * MEGABYTE }),
      )
    expect(deduplicate(MEGABYTE - 64).kept).toBe(2)
    expect(() => deduplicate(MEGABYTE)).toThrow(new TooLong(2, MEGABYTE))
  })
})
