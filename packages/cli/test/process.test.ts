import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Sandbox } from '../../../tests/support/local.ts'
import { LOCAL_COMMAND } from '../../../tests/support/server.ts'

let sandbox: Sandbox
beforeAll(() => {
  sandbox = new Sandbox(LOCAL_COMMAND)
})
afterAll(() => sandbox.clear())

/** More than a pipe holds. */
const LONG = 'x'.repeat(100_000)

describe('keepfirst lines, rows and json in a shell', () => {
  test.each([
    { name: 'standard input to standard output', line: "printf 'a\\nb\\na\\n' | keepfirst lines", stdout: 'a\nb\n' },
    {
      name: 'several files, including -',
      line: "printf 'b\\n' > f; printf 'a\\nb' | keepfirst lines - f",
      stdout: 'a\nb\n',
    },
    {
      name: 'flags of lines',
      line: "printf ' A\\n\\na\\n' | keepfirst lines --trim --ignore-case --drop-empty",
      stdout: 'A\n',
    },
    {
      name: 'flags of rows',
      line: "printf '1,x\\n2,X\\n' | keepfirst rows --no-header --ignore-case --key-columns 1",
      stdout: '1,x\n',
    },
    {
      name: 'fuzzy rows',
      line: 'printf \'n\\n"Smith, John"\\nJohn Smyth\\n\' | keepfirst rows --fuzzy --threshold 0.85',
      stdout: 'n\n"Smith, John"\n',
    },
    {
      name: 'the key of json',
      line: 'echo \'[{"a":{"b":1}},{"a":{"b":1.0}}]\' | keepfirst json --key a.b',
      stdout: '[{"a":{"b":1}}]\n',
    },
    { name: 'one value per line', line: "printf '[1]\\n[1]\\n' | keepfirst json --lines", stdout: '[1]\n' },
    {
      name: 'a report with large positions',
      line: '(seq 120000; seq 120000) | keepfirst lines --removed far > /dev/null; tail -1 far',
      stdout: '240000\t120000\t120000\n',
    },
    { name: 'plain text that is called .gz', line: 'echo plain > p.gz; keepfirst lines p.gz', stdout: 'plain\n' },
    { name: '--exact', line: "printf 'a\\na\\n' | keepfirst lines --exact", stdout: 'a\n' },
    {
      name: 'a pipe that is closed early ends the command without a message',
      line: 'seq 300000 | keepfirst lines | head -1',
      stdout: '1\n',
    },
    {
      name: 'a pipe that is closed early: exit code 141',
      line: 'seq 300000 > many; keepfirst lines many | head -1; echo $PIPESTATUS',
      stdout: '1\n141\n',
    },
    {
      name: 'binary data',
      line: "printf '\\0\\377\\n\\0\\377\\n' | keepfirst lines | od -An -tx1",
      stdout: ' 00 ff 0a\n',
    },
    {
      name: 'a folder name with a space',
      line: "mkdir -p 'a b'; echo x > 'a b/c'; keepfirst lines 'a b/c'",
      stdout: 'x\n',
    },
  ])('$name', async ({ line, stdout }) => {
    expect(await sandbox.shell(line)).toEqual({ code: 0, stdout, stderr: '' })
  })

  test.each([
    {
      name: 'a missing file',
      line: 'keepfirst lines nosuch',
      code: 1,
      stderr: 'keepfirst: nosuch: no such file or folder\n',
    },
    { name: 'a folder', line: 'mkdir -p d; keepfirst lines d', code: 1, stderr: 'keepfirst: d: is a folder\n' },
    {
      name: 'a full disk',
      line: 'seq 100000 | keepfirst lines > /dev/full',
      code: 1,
      stderr: 'keepfirst: standard output: no space left on device\n',
    },
    {
      name: 'a full disk for --removed',
      line: "printf 'a\\na\\n' | keepfirst lines --removed /dev/full >/dev/null",
      code: 1,
      stderr: 'keepfirst: /dev/full: no space left on device\n',
    },
    {
      name: 'a file that is input and output',
      line: 'echo a > io; keepfirst lines io --output io; cat io >&2',
      code: 0,
      stderr: 'keepfirst: io: is an input as well\na\n',
    },
    {
      name: 'standard output appended to the input',
      line: 'echo a > ap; keepfirst lines ap >> ap',
      code: 1,
      stderr: 'keepfirst: standard output: is an input as well\n',
    },
    {
      name: 'one file for output and report',
      line: 'echo a | keepfirst lines --output o --removed o',
      code: 1,
      stderr: 'keepfirst: o: is the output as well\n',
    },
    {
      name: 'one pipe for output and report',
      line: 'set -o pipefail; echo a | keepfirst lines --removed - | cat',
      code: 1,
      stderr: 'keepfirst: standard output: is the output as well\n',
    },
    {
      name: 'a report into the file that is replaced in place',
      line: 'echo a > rep; keepfirst lines --in-place rep --removed rep',
      code: 1,
      stderr: 'keepfirst: rep: is an input as well\n',
    },
    {
      name: 'a link to the input as output',
      line: 'echo a > li; ln li hard; keepfirst lines li --output hard',
      code: 1,
      stderr: 'keepfirst: hard: is an input as well\n',
    },
    {
      name: 'a named pipe cannot be replaced in place',
      // Opened for writing as well, so that neither end waits for the other.
      line: 'mkfifo ff; exec 3<>ff; keepfirst lines --in-place ff',
      code: 1,
      stderr: 'keepfirst: ff: is not a file that can be replaced\n',
    },
    {
      name: 'an open descriptor cannot be replaced in place',
      line: "printf 'a\\na\\n' > de; keepfirst lines --in-place /dev/stdin 0<>de || (cat de >&2; exit 1)",
      code: 1,
      stderr: 'keepfirst: /dev/stdin: is not a file that can be replaced\na\na\n',
    },
    {
      name: 'invalid JSON',
      line: 'printf \'[1,\\n{"a":}]\' | keepfirst json',
      code: 1,
      stderr: 'keepfirst: standard input: line 2, column 6: unexpected }\n',
    },
    {
      name: 'damaged gzip',
      line: '(echo packed | gzip; echo not packed) > n.gz; keepfirst lines n.gz > /dev/null',
      code: 1,
      stderr: 'keepfirst: n.gz: is damaged: its gzip data cannot be unpacked\n',
    },
    {
      name: 'truncated gzip',
      line: 'seq 9999 | gzip | head -c 300 > c.gz; keepfirst lines c.gz >/dev/null',
      code: 1,
      stderr: 'keepfirst: c.gz: ends before its gzip data does\n',
    },
    {
      name: 'an unknown flag',
      line: 'keepfirst lines --nosuch',
      code: 2,
      stderr: "error: unknown option '--nosuch'\n(see --help for usage)\n",
    },
    ...['0x1', '1e0', '', ' 0.9', 'Infinity', '0.4', '1.1'].map((threshold) => ({
      name: `a threshold of ${JSON.stringify(threshold)}`,
      line: `keepfirst rows --fuzzy --threshold '${threshold}'`,
      code: 2,
      stderr: expect.stringContaining('between 0.5 and 1'),
    })),
    {
      name: 'a threshold without --fuzzy',
      line: 'keepfirst rows --threshold 0.9',
      code: 2,
      stderr: expect.stringContaining('--threshold has no effect without --fuzzy; give both or neither\n'),
    },
    ...[
      { command: 'json', flag: '--key', typed: '-k a -k b' },
      { command: 'json', flag: '--key', typed: "-k '' -k a" },
      { command: 'rows', flag: '--delimiter', typed: "-d ';' -d ," },
      { command: 'rows', flag: '--threshold', typed: '--fuzzy --threshold 0.9 --threshold 0.8' },
      { command: 'lines', flag: '--memory', typed: '--memory 1G --memory 1M' },
      { command: 'lines', flag: '--output', typed: '-o a --output b' },
      { command: 'rows', flag: '--removed', typed: '--removed a --removed b' },
    ].map(({ command, flag, typed }) => ({
      name: `${flag} twice: ${typed}`,
      line: `echo 1 | keepfirst ${command} ${typed}`,
      code: 2,
      stderr: expect.stringMatching(new RegExp(`${flag} .*Give this flag only once\\.`)),
    })),
    {
      name: '--in-place without a file',
      line: 'echo | keepfirst lines --in-place',
      code: 2,
      stderr: expect.stringContaining('exactly one FILE'),
    },
  ])('$name: exit code $code', async ({ line, code, stderr }) => {
    expect(await sandbox.shell(line)).toMatchObject({ code, stderr })
  })

  test.each([
    { what: 'a file', line: "keepfirst lines $'we\\nird'", says: 'we\\nird: no such file or folder' },
    { what: 'a target', line: "echo a | keepfirst lines -o $'no/\\e[2J'", says: 'no/\\x1b[2J: no such file or folder' },
    {
      what: 'a header',
      line: 'printf \'"a\\nb\\r",n\\n1,2\\n\' | keepfirst rows -k zz',
      says: 'the header has a\\nb\\r, n',
    },
    { what: 'a column', line: "printf 'a,b\\n' | keepfirst rows -k $'z\\ez'", says: 'no column is named z\\x1bz' },
    { what: 'a path', line: "printf '1\\n1\\n' | keepfirst json -k $'z\\tz'", says: '--key z\\tz names nothing' },
    {
      what: 'a member',
      line: `printf '{"\\\\u009b":1}\\n{}\\n{}\\n' | keepfirst json -k z`,
      says: 'the first one has \\x9b',
    },
    { what: 'a flag', line: "keepfirst lines $'--\\e[2J'", says: "unknown option '--\\x1b[2J'", lines: 2 },
  ])('control characters in a message are escaped: $what', async ({ line, says, lines = 1 }) => {
    const { stderr } = await sandbox.shell(line)
    expect(stderr).toContain(says)
    expect(stderr).toMatch(new RegExp(`^(\\P{Cc}+\\n){${lines}}$`, 'u'))
  })

  test('--count prints JSON on standard error', async () => {
    const { stdout, stderr } = await sandbox.run('a\na\nb\n', 'lines', '--count')
    expect(stdout).toBe('a\nb\n')
    expect(JSON.parse(stderr)).toEqual({ kept: 2, removed: 1 })
  })

  test('--help lists every flag', async () => {
    for (const command of ['lines', 'rows', 'json']) {
      const { code, stdout } = await sandbox.run('', command, '--help')
      expect(code).toBe(0)
      for (const flag of ['--output', '--removed', '--count', '--in-place', '--exact']) expect(stdout).toContain(flag)
    }
  })

  test.each([
    { form: 'lines', input: 'a\nb\na\n', removed: '3\t1\ta\n' },
    { form: 'lines', flags: ['-0'], input: 'a\nb\0c\0a\nb', removed: '3\t1\ta\nb\0' },
    { form: 'rows', input: 'h,i\n1,"x\ny"\n1,"x\ny"\n', removed: 'position,survivor,h,i\n2,1,1,"x\ny"\n' },
    {
      form: 'rows',
      flags: ['-d', ';', '-k', 'id'],
      input: 'id;name\n1;"a;b"\n1;c\n',
      removed: 'position;survivor;id;name\n2;1;1;c\n',
    },
    { form: 'rows', flags: ['-d', '\\t', '--no-header'], input: 'a,b\tc\na,b\tc\n', removed: '2\t1\ta,b\tc\n' },
    { form: 'json', input: '[{"a":1},\n {"a":\n1}]', removed: '{"position":2,"survivor":1,"item":{"a": 1}}\n' },
    {
      form: 'json',
      input: '[{"a":1,"b":2},\r\n\t{"a":1,\r\n\t"b":\t2}]',
      removed: '{"position":2,"survivor":1,"item":{"a":1,  \t"b":\t2}}\n',
    },
  ])('--removed reports the removed items of $form $flags', async ({ form, flags = [], input, removed }) => {
    await sandbox.run(input, form, ...flags, '--removed', 'removed')
    expect(sandbox.read('removed').toString()).toBe(removed)
  })

  test('gzip input, and gzip output by file name', async () => {
    sandbox.write('in.gz', Buffer.concat([gzipSync('a\nb\n'), gzipSync('a\nc\n')]))
    await sandbox.run('', 'lines', 'in.gz', '--output', 'out.gz', '--removed', 'removed.gz')
    expect(gunzipSync(sandbox.read('out.gz')).toString()).toBe('a\nb\nc\n')
    expect(gunzipSync(sandbox.read('removed.gz')).toString()).toBe('3\t1\ta\n')
  })
})

describe('--in-place', () => {
  test('replaces the file, keeps its mode, follows a link and leaves no temporary file', async () => {
    mkdirSync(sandbox.path('place'))
    const file = sandbox.write('place/list', 'a\na\n')
    chmodSync(file, 0o640)
    symlinkSync('list', sandbox.path('place/link'))
    expect(await sandbox.run('', 'lines', '--in-place', 'place/link')).toMatchObject({ code: 0, stdout: '' })
    expect(sandbox.read('place/list').toString()).toBe('a\n')
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(readdirSync(sandbox.path('place')).sort()).toEqual(['link', 'list'])
  })

  test('leaves the file unchanged if its content is invalid', async () => {
    mkdirSync(sandbox.path('bad'))
    sandbox.write('bad/list', '[1,1')
    expect((await sandbox.run('', 'json', '--in-place', 'bad/list')).code).toBe(1)
    expect(sandbox.read('bad/list').toString()).toBe('[1,1')
    expect(readdirSync(sandbox.path('bad'))).toEqual(['list'])
  })

  test('leaves the file unchanged and no temporary file if the disk is full', async () => {
    mkdirSync(sandbox.path('full'))
    sandbox.write('full/list', 'a line\na line\n'.repeat(100_000).concat(numbers(200_000)))
    const before = sandbox.read('full/list')
    // A limit on the size of files simulates a full disk.
    const { code, stderr } = await sandbox.shell('ulimit -f 1000; keepfirst lines --in-place full/list')
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'keepfirst: full/list: file too large\n' })
    expect(sandbox.read('full/list').equals(before)).toBe(true)
    expect(readdirSync(sandbox.path('full'))).toEqual(['list'])
  })

  // The report goes to a pipe, which is opened after the file, and blocks the command until the pipe is read.
  test.each([
    { name: 'it was read', content: 'a\n'.repeat(100_000), until: ':' },
    // A last line without a break is reported at the very end.
    { name: 'the report was finished', content: `${LONG}\n${LONG}`, until: 'head -c 1 <&3 >/dev/null' },
  ])('does not replace a file that grew while $name', async ({ content, until }) => {
    sandbox.write('growing', content)
    const { code, stderr } = await sandbox.shell(
      `rm -f wait; mkfifo wait; keepfirst lines --in-place growing --removed wait & exec 3<wait
      ${until}; echo b >> growing; cat <&3 >/dev/null; wait $!`,
    )
    expect(stderr).toBe('keepfirst: growing: changed while it was read; nothing was replaced\n')
    expect(code).toBe(1)
    expect(sandbox.read('growing').toString() === `${content}b\n`).toBe(true)
  })
})

describe('progress', () => {
  /**
   * Runs a program with a pseudo-terminal as standard error. Writes lines to it until a progress bar appears, then ends
   * the input or sends a signal, and prints the terminal output and the exit code.
   */
  const TERMINAL = `
import os, pty, select, sys
master, slave = pty.openpty()
reading, writing = os.pipe()
child = os.fork()
if child == 0:
    os.dup2(reading, 0)
    os.dup2(slave if '--output' in sys.argv else os.open('out', os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
    os.dup2(slave, 2)
    os.execv(sys.argv[2], sys.argv[2:])
os.close(slave)
while not select.select([master], [], [], 0.2)[0]:
    os.write(writing, b'again\\n')
shown = b''
while b'MB |' not in shown:
    os.write(writing, b'again\\n')
    shown += os.read(master, 4096)
if sys.argv[1] == '0':
    os.close(writing)
else:
    os.kill(child, int(sys.argv[1]))
try:
    while True:
        shown += os.read(master, 4096)
except OSError:
    pass
print(repr(shown), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
`

  test('a bar is shown on a terminal while a long command runs, and removed at the end', async () => {
    sandbox.write('terminal.py', TERMINAL)
    const { stdout } = await sandbox.shell(`python3 terminal.py 0 $(type -P node) ${LOCAL_COMMAND} lines`)
    expect(stdout).toMatch(/MB \| .*\\x1b\[1G\\x1b\[2K' 0\n$/)
    expect(stdout, 'modes that a signal would leave behind').not.toContain('\\x1b[?')
    expect(sandbox.read('out').toString()).toBe('again\n')
  })

  test('a bar is shown if standard output is the terminal too, but the output goes to a file', async () => {
    sandbox.write('terminal.py', TERMINAL)
    const { stdout } = await sandbox.shell(
      `python3 terminal.py 0 $(type -P node) ${LOCAL_COMMAND} lines --output written`,
    )
    expect(stdout).toMatch(/MB \| .*\\x1b\[1G\\x1b\[2K' 0\n$/)
    expect(sandbox.read('written').toString()).toBe('again\n')
  })

  test.each([2, 15])('signal %i ends the command while a bar is shown', async (signal) => {
    sandbox.write('terminal.py', TERMINAL)
    const { stdout } = await sandbox.shell(`python3 terminal.py ${signal} $(type -P node) ${LOCAL_COMMAND} lines`)
    expect(stdout).toMatch(new RegExp(` -${signal}\n$`))
  })

  test('no bar is shown if standard error is not a terminal', async () => {
    expect((await sandbox.shell('(echo 1; sleep 2; echo 2) | keepfirst lines')).stderr).toBe('')
  })
})

/** The numbers from 1, one per line. */
function numbers(count: number): string {
  return Array.from({ length: count }, (_, i) => `${i + 1}\n`).join('')
}
