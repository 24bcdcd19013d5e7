import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Workbench } from '../../../tests/support/local.ts'
import { LOCAL_COMMAND } from '../../../tests/support/server.ts'

let bench: Workbench
beforeAll(() => {
  bench = new Workbench(LOCAL_COMMAND)
})
afterAll(() => bench.clear())

describe('keepfirst lines, rows and json in a shell', () => {
  test.each([
    { name: 'standard input to standard output', line: "printf 'a\\nb\\na\\n' | keepfirst lines", stdout: 'a\nb\n' },
    {
      name: 'several files, and - among them',
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
    { name: 'values one a line', line: "printf '[1]\\n[1]\\n' | keepfirst json --lines", stdout: '[1]\n' },
    {
      name: 'a report of far positions',
      line: '(seq 120000; seq 120000) | keepfirst lines --removed far > /dev/null; tail -1 far',
      stdout: '240000\t120000\t120000\n',
    },
    { name: 'plain text that is called .gz', line: 'echo plain > p.gz; keepfirst lines p.gz', stdout: 'plain\n' },
    { name: 'exact keys', line: "printf 'a\\na\\n' | keepfirst lines --exact", stdout: 'a\n' },
    {
      name: 'a pipe that is closed early ends it quietly',
      line: 'seq 300000 | keepfirst lines | head -1',
      stdout: '1\n',
    },
    {
      name: 'and shows in its exit code',
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
    expect(await bench.shell(line)).toEqual({ code: 0, stdout, stderr: '' })
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
      name: 'a full disk behind --removed',
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
      name: 'a report into the file that is replaced',
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
      name: 'what is not a file cannot be replaced',
      line: 'mkfifo ff; keepfirst lines --in-place ff & echo a > ff; wait $!',
      code: 1,
      stderr: 'keepfirst: ff: is not a file that can be replaced\n',
    },
    {
      name: 'no JSON',
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
      name: 'gzip cut short',
      line: 'seq 9999 | gzip | head -c 300 > c.gz; keepfirst lines c.gz >/dev/null',
      code: 1,
      stderr: 'keepfirst: c.gz: ends before its gzip data does\n',
    },
    {
      name: 'an unknown flag',
      line: 'keepfirst lines --nosuch',
      code: 2,
      stderr: "error: unknown option '--nosuch'\n(--help shows how it is used)\n",
    },
    {
      name: 'a threshold out of range',
      line: 'keepfirst rows --fuzzy --threshold 0.4',
      code: 2,
      stderr: expect.stringContaining('between 0.5 and 1'),
    },
    {
      name: '--in-place without a file',
      line: 'echo | keepfirst lines --in-place',
      code: 2,
      stderr: expect.stringContaining('exactly one FILE'),
    },
  ])('$name: exit code $code', async ({ line, code, stderr }) => {
    expect(await bench.shell(line)).toMatchObject({ code, stderr })
  })

  test('--count prints JSON on standard error', async () => {
    const { stdout, stderr } = await bench.run('a\na\nb\n', 'lines', '--count')
    expect(stdout).toBe('a\nb\n')
    expect(JSON.parse(stderr)).toEqual({ kept: 2, removed: 1 })
  })

  test('--help tells every flag', async () => {
    for (const command of ['lines', 'rows', 'json']) {
      const { code, stdout } = await bench.run('', command, '--help')
      expect(code).toBe(0)
      for (const flag of ['--output', '--removed', '--count', '--in-place', '--exact']) expect(stdout).toContain(flag)
    }
  })

  test.each([
    { form: 'lines', input: 'a\nb\na\n', removed: '3\t1\ta\n' },
    { form: 'rows', input: 'h,i\n1,"x\ny"\n1,"x\ny"\n', removed: 'position,survivor,h,i\n2,1,1,"x\ny"\n' },
    { form: 'json', input: '[{"a":1},\n {"a":\n1}]', removed: '{"position":2,"survivor":1,"item":{"a": 1}}\n' },
  ])('--removed reports what was dropped from $form', async ({ form, input, removed }) => {
    await bench.run(input, form, '--removed', 'removed')
    expect(bench.read('removed').toString()).toBe(removed)
  })

  test('gzip by file name, in and out', async () => {
    bench.write('in.gz', Buffer.concat([gzipSync('a\nb\n'), gzipSync('a\nc\n')]))
    await bench.run('', 'lines', 'in.gz', '--output', 'out.gz', '--removed', 'removed.gz')
    expect(gunzipSync(bench.read('out.gz')).toString()).toBe('a\nb\nc\n')
    expect(gunzipSync(bench.read('removed.gz')).toString()).toBe('3\t1\ta\n')
  })
})

describe('--in-place', () => {
  test('replaces the file, its mode kept, a link followed, nothing left beside it', async () => {
    mkdirSync(bench.path('place'))
    const file = bench.write('place/list', 'a\na\n')
    chmodSync(file, 0o640)
    symlinkSync('list', bench.path('place/link'))
    expect(await bench.run('', 'lines', '--in-place', 'place/link')).toMatchObject({ code: 0, stdout: '' })
    expect(bench.read('place/list').toString()).toBe('a\n')
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(readdirSync(bench.path('place')).sort()).toEqual(['link', 'list'])
  })

  test('leaves the file as it was when its content is bad', async () => {
    mkdirSync(bench.path('bad'))
    bench.write('bad/list', '[1,1')
    expect((await bench.run('', 'json', '--in-place', 'bad/list')).code).toBe(1)
    expect(bench.read('bad/list').toString()).toBe('[1,1')
    expect(readdirSync(bench.path('bad'))).toEqual(['list'])
  })

  test('leaves the file as it was when the disk is full, nothing beside it', async () => {
    mkdirSync(bench.path('full'))
    bench.write('full/list', 'a line\na line\n'.repeat(100_000).concat(numbers(200_000)))
    const before = bench.read('full/list')
    // A bound on the size of files stands for the disk's end.
    const { code, stderr } = await bench.shell('ulimit -f 1000; keepfirst lines --in-place full/list')
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'keepfirst: full/list: file too large\n' })
    expect(bench.read('full/list').equals(before)).toBe(true)
    expect(readdirSync(bench.path('full'))).toEqual(['list'])
  })

  test('does not replace a file that grows while it is read', async () => {
    bench.write('growing', 'a\n'.repeat(100_000))
    // The report goes to a pipe: opened once the file is open, and too long for it until somebody reads.
    const script =
      'mkfifo wait; keepfirst lines --in-place growing --removed wait & exec 3<wait; echo b >> growing; cat <&3 >/dev/null; wait $!'
    const { code, stderr } = await bench.shell(script)
    expect(stderr).toBe('keepfirst: growing: changed while it was read; nothing was replaced\n')
    expect(code).toBe(1)
    expect(bench.read('growing').length).toBe(200_002)
  })
})

describe('progress', () => {
  /**
   * A pseudo-terminal for standard error; feeds lines until a bar shows on it, then ends the input, or the program by
   * a signal, and prints what showed and how it ended.
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

  test('a bar shows on a terminal when the work is long, and goes with it', async () => {
    bench.write('terminal.py', TERMINAL)
    const { stdout } = await bench.shell(`python3 terminal.py 0 $(type -P node) ${LOCAL_COMMAND} lines`)
    expect(stdout).toMatch(/MB \| .*\\x1b\[1G\\x1b\[2K' 0\n$/)
    expect(stdout, 'modes that a signal would leave behind').not.toContain('\\x1b[?')
    expect(bench.read('out').toString()).toBe('again\n')
  })

  test('a bar shows when the terminal is standard output too, but the output a file', async () => {
    bench.write('terminal.py', TERMINAL)
    const { stdout } = await bench.shell(
      `python3 terminal.py 0 $(type -P node) ${LOCAL_COMMAND} lines --output written`,
    )
    expect(stdout).toMatch(/MB \| .*\\x1b\[1G\\x1b\[2K' 0\n$/)
    expect(bench.read('written').toString()).toBe('again\n')
  })

  test.each([2, 15])('signal %i ends it, bar or no bar', async (signal) => {
    bench.write('terminal.py', TERMINAL)
    const { stdout } = await bench.shell(`python3 terminal.py ${signal} $(type -P node) ${LOCAL_COMMAND} lines`)
    expect(stdout).toMatch(new RegExp(` -${signal}\n$`))
  })

  test('nothing shows when standard error is not a terminal', async () => {
    expect((await bench.shell('(echo 1; sleep 2; echo 2) | keepfirst lines')).stderr).toBe('')
  })
})

/** A line each from 1 on. */
function numbers(count: number): string {
  return Array.from({ length: count }, (_, i) => `${i + 1}\n`).join('')
}
