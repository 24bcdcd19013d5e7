import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Workbench } from '../../../tests/support/local.ts'
import { LOCAL_COMMAND } from '../../../tests/support/server.ts'
import { formatOf, HEAD_BYTES } from '../src/formats.ts'

/*
 * What a file is, is told by its first bytes, wherever they come from.
 */

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const UTF16 = Buffer.concat([latin1('\xff\xfe'), Buffer.from('a\nb\na\n', 'utf16le')])
const UTF32 = latin1('\xff\xfe\0\0a\0\0\0\n\0\0\0')

const UNREADABLE = [
  { what: 'UTF-16, little end first', bytes: UTF16, helps: 'iconv -f UTF-16 -t UTF-8' },
  { what: 'UTF-16, big end first', bytes: Buffer.from(UTF16).swap16(), helps: 'iconv -f UTF-16 -t UTF-8' },
  { what: 'nothing but the mark of UTF-16', bytes: latin1('\xff\xfe'), helps: 'iconv -f UTF-16 -t UTF-8' },
  { what: 'UTF-32, little end first', bytes: UTF32, helps: 'iconv -f UTF-32 -t UTF-8' },
  { what: 'UTF-32, big end first', bytes: Buffer.from(UTF32).swap32(), helps: 'iconv -f UTF-32 -t UTF-8' },
  { what: 'zstd', bytes: latin1('\x28\xb5\x2f\xfd...'), helps: 'zstd -dc' },
  { what: 'xz', bytes: latin1('\xfd7zXZ\0...'), helps: 'xz -dc' },
  { what: 'bzip2', bytes: latin1('BZh91AY&SY...'), helps: 'bzip2 -dc' },
  { what: 'bzip2 of nothing', bytes: latin1('BZh9\x17rE8P\x90\0\0\0\0'), helps: 'bzip2 -dc' },
  { what: 'lz4', bytes: latin1('\x04\x22\x4d\x18...'), helps: 'lz4 -dc' },
  { what: 'zip', bytes: latin1('PK\x03\x04....list.txt...'), helps: 'unzip -p' },
  { what: 'an empty zip', bytes: latin1(`PK\x05\x06${'\0'.repeat(18)}`), helps: 'unzip -p' },
  { what: 'a workbook of Excel', bytes: latin1('PK\x03\x04....[Content_Types].xml...xl/workbook.xml'), helps: 'CSV' },
  {
    what: 'one of LibreOffice',
    bytes: latin1('PK\x03\x04...mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
    helps: 'CSV',
  },
  { what: 'one of old Excel', bytes: latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1...'), helps: 'CSV' },
  { what: 'gzip within gzip', bytes: gzipSync(gzipSync('a\n')), helps: 'gzip -dc' },
  { what: 'UTF-16 within gzip', bytes: gzipSync(UTF16), helps: 'gzip -dc' },
]

/** The beginnings of these are those of a format, they themselves are text. */
const TEXT = [
  'PK',
  'PKs are keys\n',
  'BZh',
  'BZh9 is text\n',
  '7z',
  'LZIP 1\n',
  '\x1f\x8b is odd\n',
  '\xfd7zXY',
  '\xff',
  '\xfe\xfe\n',
]

let bench: Workbench
beforeAll(() => {
  bench = new Workbench(LOCAL_COMMAND)
})
afterAll(() => bench.clear())

describe('what cannot be read ends with exit code 1 and what helps, and nothing is written', () => {
  test.each(UNREADABLE)('$what, a file whatever its name', async ({ bytes, helps }) => {
    bench.write('a list.csv', bytes)
    bench.write('out', 'old\n')
    for (const flags of [['--output', 'out'], []]) {
      const { code, stdout, stderr } = await bench.run('', 'rows', 'a list.csv', ...flags)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^keepfirst: a list\.csv: is [^\n]*\n$/)
      expect(stderr).toContain(helps)
    }
    expect(bench.read('out').toString()).toBe('old\n')
  })

  test.each(UNREADABLE)('$what, on standard input', async ({ bytes, helps }) => {
    const { code, stdout, stderr } = await bench.run(bytes, 'lines')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(helps)
  })

  test('a second file too, before the first one is read', async () => {
    bench.write('first', 'a\n')
    bench.write('second', UTF16)
    expect(await bench.run('', 'lines', 'first', 'second')).toMatchObject({ code: 1, stdout: '' })
  })

  test('the command that helps does help', async () => {
    bench.write('it’s', gzipSync(UTF16))
    const { stderr } = await bench.run('', 'lines', 'it’s')
    const [, typed = ''] = /; try (.*)\n/.exec(stderr) ?? []
    expect(await bench.shell(typed)).toEqual({ code: 0, stdout: 'a\nb\n', stderr: '' })
  })
})

describe('text that begins like something else is text', () => {
  test.each(TEXT)('%j', async (text) => {
    expect(await bench.run(latin1(text), 'lines', '--count')).toMatchObject({ code: 0 })
    bench.write('text', latin1(text))
    expect(await bench.run('', 'lines', 'text', '--output', 'copy')).toMatchObject({ code: 0 })
    expect(bench.read('copy').equals(latin1(text))).toBe(true)
  })

  test('a line comes out as soon as it can be nothing but text', async () => {
    const script =
      'mkfifo typed shown; keepfirst lines < typed > shown & exec 3>typed 4<shown; echo B >&3; read -r line <&4; echo "$line"'
    // The line break is held until the next survivor: it is that one that is waited for.
    const { stdout } = await bench.shell(script.replace('echo B >&3', 'echo B >&3; echo C >&3'))
    expect(stdout).toBe('B\n')
  })
})

describe('gzip', () => {
  const members = Buffer.concat(['a\n', 'b\na\n', ''].map((text) => gzipSync(text)))

  test.each([
    { what: 'by any name', line: 'keepfirst lines members' },
    { what: 'on standard input', line: 'keepfirst lines < members' },
    { what: 'in a pipe, a byte at a time', line: 'dd if=members bs=1 2>/dev/null | keepfirst lines' },
    { what: 'beside plain text', line: 'echo a > plain; keepfirst lines members plain' },
    { what: 'from a pipe with a name', line: 'keepfirst lines <(cat members)' },
  ])('$what: all members are unpacked', async ({ line }) => {
    bench.write('members', members)
    expect(await bench.shell(line)).toEqual({ code: 0, stdout: 'a\nb\n', stderr: '' })
  })

  test('--in-place packs again what was packed, and leaves plain what was plain', async () => {
    bench.write('packed.txt', members)
    bench.write('plain.gz', 'a\na\n')
    const { stdout } = await bench.shell(
      'keepfirst lines --in-place packed.txt && zcat < packed.txt; keepfirst lines --in-place plain.gz; cat plain.gz',
    )
    expect(stdout).toBe('a\nb\na\n')
  })
})

describe('formatOf', () => {
  test.each(UNREADABLE.slice(0, 15))(
    '$what is told from any beginning that is long enough, and from no shorter one',
    ({ bytes }) => {
      const told = formatOf(bytes, true)
      for (let length = 0; length < bytes.length; length++) {
        const format = formatOf(bytes.subarray(0, length), false)
        if (format) expect(format).toEqual(told)
      }
    },
  )

  test('no archive is waited for beyond its head', () => {
    const head = Buffer.alloc(HEAD_BYTES)
    head.write('PK\x03\x04')
    expect(formatOf(head.subarray(0, -1), false)).toBeUndefined()
    expect(formatOf(head, false)).toMatchObject({ is: 'is a zip archive' })
  })
})
