import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Sandbox } from '../../../tests/support/local.ts'
import { LOCAL_COMMAND } from '../../../tests/support/server.ts'
import { formatOf, HEAD_BYTES } from '../src/formats.ts'

/*
 * The format of a file is recognised by its first bytes, whatever its name or source.
 */

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const UTF16 = Buffer.concat([latin1('\xff\xfe'), Buffer.from('a\nb\na\n', 'utf16le')])
const UTF32 = latin1('\xff\xfe\0\0a\0\0\0\n\0\0\0')

const UNREADABLE = [
  { what: 'UTF-16, little-endian', bytes: UTF16, helps: 'iconv -f UTF-16 -t UTF-8' },
  { what: 'UTF-16, big-endian', bytes: Buffer.from(UTF16).swap16(), helps: 'iconv -f UTF-16 -t UTF-8' },
  { what: 'nothing but the byte-order mark of UTF-16', bytes: latin1('\xff\xfe'), helps: 'iconv -f UTF-16 -t UTF-8' },
  { what: 'UTF-32, little-endian', bytes: UTF32, helps: 'iconv -f UTF-32 -t UTF-8' },
  { what: 'UTF-32, big-endian', bytes: Buffer.from(UTF32).swap32(), helps: 'iconv -f UTF-32 -t UTF-8' },
  { what: 'zstd', bytes: latin1('\x28\xb5\x2f\xfd...'), helps: 'zstd -dc' },
  { what: 'xz', bytes: latin1('\xfd7zXZ\0...'), helps: 'xz -dc' },
  { what: 'bzip2', bytes: latin1('BZh91AY&SY...'), helps: 'bzip2 -dc' },
  { what: 'bzip2 of an empty file', bytes: latin1('BZh9\x17rE8P\x90\0\0\0\0'), helps: 'bzip2 -dc' },
  { what: 'lz4', bytes: latin1('\x04\x22\x4d\x18...'), helps: 'lz4 -dc' },
  { what: 'zip', bytes: latin1('PK\x03\x04....list.txt...'), helps: 'unzip -p' },
  { what: 'an empty zip', bytes: latin1(`PK\x05\x06${'\0'.repeat(18)}`), helps: 'unzip -p' },
  { what: 'an Excel workbook', bytes: latin1('PK\x03\x04....[Content_Types].xml...xl/workbook.xml'), helps: 'CSV' },
  {
    what: 'a LibreOffice spreadsheet',
    bytes: latin1('PK\x03\x04...mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
    helps: 'CSV',
  },
  { what: 'an Excel workbook before 2007', bytes: latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1...'), helps: 'CSV' },
  { what: 'gzip within gzip', bytes: gzipSync(gzipSync('a\n')), helps: 'gzip -dc' },
  { what: 'UTF-16 within gzip', bytes: gzipSync(UTF16), helps: 'gzip -dc' },
]

/** Text that begins like a binary format. */
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

let sandbox: Sandbox
beforeAll(() => {
  sandbox = new Sandbox(LOCAL_COMMAND)
})
afterAll(() => sandbox.clear())

describe('a format that cannot be read: exit code 1, a message with advice, and no output', () => {
  test.each(UNREADABLE)('$what, in a file of any name', async ({ bytes, helps }) => {
    sandbox.write('a list.csv', bytes)
    sandbox.write('out', 'old\n')
    for (const flags of [['--output', 'out'], []]) {
      const { code, stdout, stderr } = await sandbox.run('', 'rows', 'a list.csv', ...flags)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^keepfirst: a list\.csv: is [^\n]*\n$/)
      expect(stderr).toContain(helps)
    }
    expect(sandbox.read('out').toString()).toBe('old\n')
  })

  test.each(UNREADABLE)('$what, on standard input', async ({ bytes, helps }) => {
    const { code, stdout, stderr } = await sandbox.run(bytes, 'lines')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(helps)
  })

  test('a second file is checked before the first one is read', async () => {
    sandbox.write('first', 'a\n')
    sandbox.write('second', UTF16)
    expect(await sandbox.run('', 'lines', 'first', 'second')).toMatchObject({ code: 1, stdout: '' })
  })

  test('the suggested command works', async () => {
    sandbox.write('it’s', gzipSync(UTF16))
    const { stderr } = await sandbox.run('', 'lines', 'it’s')
    const [, command = ''] = /; try (.*)\n/.exec(stderr) ?? []
    expect(await sandbox.shell(command)).toEqual({ code: 0, stdout: 'a\nb\n', stderr: '' })
  })
})

describe('text that begins like a binary format is text', () => {
  test.each(TEXT)('%j', async (text) => {
    expect(await sandbox.run(latin1(text), 'lines', '--count')).toMatchObject({ code: 0 })
    sandbox.write('text', latin1(text))
    expect(await sandbox.run('', 'lines', 'text', '--output', 'copy')).toMatchObject({ code: 0 })
    expect(sandbox.read('copy').equals(latin1(text))).toBe(true)
  })

  test('a line is written as soon as the input can only be text', async () => {
    const script =
      'mkfifo typed shown; keepfirst lines < typed > shown & exec 3>typed 4<shown; echo B >&3; read -r line <&4; echo "$line"'
    // The line break is held back until the next survivor, so a second line is needed.
    const { stdout } = await sandbox.shell(script.replace('echo B >&3', 'echo B >&3; echo C >&3'))
    expect(stdout).toBe('B\n')
  })
})

describe('gzip', () => {
  const members = Buffer.concat(['a\n', 'b\na\n', ''].map((text) => gzipSync(text)))

  test.each([
    { what: 'in a file of any name', line: 'keepfirst lines members' },
    { what: 'on standard input', line: 'keepfirst lines < members' },
    { what: 'in a pipe, a byte at a time', line: 'dd if=members bs=1 2>/dev/null | keepfirst lines' },
    { what: 'together with plain text', line: 'echo a > plain; keepfirst lines members plain' },
    { what: 'from a named pipe', line: 'keepfirst lines <(cat members)' },
  ])('$what: all members are unpacked', async ({ line }) => {
    sandbox.write('members', members)
    expect(await sandbox.shell(line)).toEqual({ code: 0, stdout: 'a\nb\n', stderr: '' })
  })

  test('--in-place compresses a file again if it was compressed', async () => {
    sandbox.write('packed.txt', members)
    sandbox.write('plain.gz', 'a\na\n')
    const { stdout } = await sandbox.shell(
      'keepfirst lines --in-place packed.txt && zcat < packed.txt; keepfirst lines --in-place plain.gz; cat plain.gz',
    )
    expect(stdout).toBe('a\nb\na\n')
  })
})

describe('formatOf', () => {
  test.each(UNREADABLE.slice(0, 15))('$what is recognised from any prefix that is long enough', ({ bytes }) => {
    const expected = formatOf(bytes, true)
    for (let length = 0; length < bytes.length; length++) {
      const format = formatOf(bytes.subarray(0, length), false)
      if (format) expect(format).toEqual(expected)
    }
  })

  test('the kind of an archive is decided by its head', () => {
    const head = Buffer.alloc(HEAD_BYTES)
    head.write('PK\x03\x04')
    expect(formatOf(head.subarray(0, -1), false)).toBeUndefined()
    expect(formatOf(head, false)).toMatchObject({ is: 'is a zip archive' })
  })
})
