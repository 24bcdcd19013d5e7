import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Workbench } from '../../../tests/support/local.ts'
import { LOCAL_COMMAND } from '../../../tests/support/server.ts'

/*
 * A file that is written is replaced whole or not at all, and stays what it was besides its content.
 */

let bench: Workbench
beforeEach(() => {
  bench = new Workbench(LOCAL_COMMAND)
})
afterEach(() => bench.clear())

const isRoot = process.getuid?.() === 0
const many = (lines: number): string => Array.from({ length: lines }, (_, i) => `line ${i}\n`).join('')

/** Resolves when this many files that are being written stand in the folder. */
async function draftsIn(folder: string, count: number): Promise<void> {
  const drafts = () => readdirSync(folder).filter((name) => name.startsWith('.')).length
  const watcher = watch(folder)
  while (drafts() < count) await once(watcher, 'change')
  watcher.close()
}

describe('a file stays as it was, and nothing is left beside it', () => {
  test.each([
    { name: 'a fault of the input', line: "printf '1\\n{' | keepfirst json --output old", code: 1 },
    { name: 'a fault of a later file', line: "echo 1 > a; printf '{' > b; keepfirst json a b --output old", code: 1 },
    { name: 'a file that is not there', line: 'keepfirst lines nosuch --output old', code: 1 },
    { name: 'what is not text', line: "printf '\\377\\376a' > u; keepfirst lines u --output old", code: 1 },
    { name: 'damaged gzip', line: 'seq 99999 | gzip | head -c 9999 | keepfirst lines --output old', code: 1 },
    { name: 'a full disk', line: 'seq 300000 > in; ulimit -f 1000; keepfirst lines in --output old', code: 1 },
    { name: 'a report that cannot be opened', line: 'echo a | keepfirst lines -o old --removed no/such', code: 1 },
    {
      name: 'a full disk behind the report',
      line: "printf 'a\\na\\n' | keepfirst lines -o old --removed /dev/full",
      code: 1,
    },
    { name: 'a wrong flag', line: 'echo a | keepfirst lines --output old --nosuch', code: 2 },
    {
      name: 'a reader of the report that has gone',
      line: 'set -o pipefail; seq 99999 > s; cat s s | keepfirst lines -o old --removed - | true',
      code: 141,
    },
  ])('$name', async ({ line, code }) => {
    bench.write('old', 'as it was\n')
    expect((await bench.shell(line)).code).toBe(code)
    expect(bench.read('old').toString()).toBe('as it was\n')
    expect(readdirSync(bench.folder).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)('%s, by which the command ends', async (signal) => {
    bench.write('old', 'as it was\n')
    const args = [LOCAL_COMMAND, 'lines', '--output', 'old', '--removed', 'new']
    const drafts = draftsIn(bench.folder, 2)
    const child = spawn(process.execPath, args, { cwd: bench.folder, stdio: ['pipe', 'ignore', 'ignore'] })
    child.stdin.write('a\na\n')
    await drafts
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([null, signal])
    expect(bench.read('old').toString()).toBe('as it was\n')
    expect(readdirSync(bench.folder)).toEqual(['old'])
  })

  test('while it is written the old content is there to be read', async () => {
    bench.write('list', many(60_000))
    const { code } = await bench.shell('cat list list | keepfirst lines --output list')
    expect(code).toBe(0)
    expect(bench.read('list').toString()).toBe(many(60_000))
  })

  test('two files that are written are both replaced, or none', async () => {
    bench.write('report', 'old\n')
    const { code } = await bench.shell("printf '1\\n1\\n{' | keepfirst json -o out --removed report")
    expect(code).toBe(1)
    expect(readdirSync(bench.folder)).toEqual(['report'])
    expect(bench.read('report').toString()).toBe('old\n')
  })
})

describe('what a file is besides its content stays', () => {
  test('a new file has the permissions that the shell would give it', async () => {
    await bench.shell('umask 027; echo a | keepfirst lines -o new')
    expect(statSync(bench.path('new')).mode & 0o777).toBe(0o640)
  })

  test.each([0o600, 0o664, 0o4755])('permissions %o', async (mode) => {
    chmodSync(bench.write('old', 'b\n'), mode)
    await bench.shell('echo a | keepfirst lines -o old')
    expect(statSync(bench.path('old')).mode & 0o7777).toBe(mode)
    expect(bench.read('old').toString()).toBe('a\n')
  })

  test.runIf(isRoot)('the owner', async () => {
    chownSync(bench.write('old', 'b\n'), 1_234, 2_345)
    await bench.shell('echo a | keepfirst lines -o old')
    expect(statSync(bench.path('old'))).toMatchObject({ uid: 1_234, gid: 2_345 })
  })

  test.each([
    { name: 'that points to a file', to: 'real' },
    { name: 'that points to a link', to: 'second' },
    { name: 'that points to nothing yet', to: 'folder/new' },
  ])('a symbolic link $name', async ({ to }) => {
    mkdirSync(bench.path('folder'))
    bench.write('real', 'b\n')
    symlinkSync('real', bench.path('second'))
    symlinkSync(to, bench.path('link'))
    expect(await bench.shell('echo a | keepfirst lines -o link; cat link')).toMatchObject({ code: 0, stdout: 'a\n' })
    expect(readlinkSync(bench.path('link'))).toBe(to)
    expect(readdirSync(bench.path('folder'))).toEqual(to === 'folder/new' ? ['new'] : [])
  })

  test.each(['-o old', '--in-place old'])('other names of the same file (%s)', async (flag) => {
    linkSync(bench.write('old', 'a\nb\na\n'), bench.path('other'))
    const input = flag.startsWith('-o') ? "printf 'a\\nb\\na\\n' |" : ''
    await bench.shell(`${input} keepfirst lines ${flag}`)
    expect(bench.read('other').toString()).toBe('a\nb\n')
    expect(statSync(bench.path('old')).nlink).toBe(2)
    expect(readdirSync(bench.folder).sort()).toEqual(['old', 'other'])
  })

  test.runIf(isRoot)('a file in a folder that takes no new ones', async () => {
    mkdirSync(bench.path('closed'))
    const file = bench.path('closed/list')
    writeFileSync(file, 'a\na\n')
    chownSync(file, 65_534, 65_534)
    chmodSync(bench.path('closed'), 0o755)
    chmodSync(bench.folder, 0o755)
    const script = `keepfirst() { setpriv --reuid 65534 --regid 65534 --clear-groups '${process.execPath}' '${LOCAL_COMMAND}' "$@"; }
      keepfirst lines --in-place closed/list; echo b | keepfirst lines -o closed/new; ls -A closed`
    const { stdout, stderr } = await bench.shell(script)
    expect(stderr).toBe('keepfirst: closed/new: permission denied\n')
    expect(stdout).toBe('list\n')
    expect(bench.read('closed/list').toString()).toBe('a\n')
  })

  test.runIf(isRoot)('a file that one may not write', async () => {
    bench.write('old', 'b\n')
    chmodSync(bench.folder, 0o777)
    const { stderr } = await bench.shell(
      `echo a | setpriv --reuid 65534 --regid 65534 --clear-groups '${process.execPath}' '${LOCAL_COMMAND}' lines -o old; cat old >&2`,
    )
    expect(stderr).toBe('keepfirst: old: permission denied\nb\n')
  })
})

describe('what is not a file is written straight', () => {
  test.each([
    { name: '/dev/null', line: 'echo a | keepfirst lines -o /dev/null; ls -l /dev/null | head -c 1', stdout: 'c' },
    { name: 'a named pipe', line: 'mkfifo p; cat p & echo a | keepfirst lines -o p; wait; test -p p', stdout: 'a\n' },
    { name: 'a pipe of the shell', line: 'echo a | keepfirst lines -o >(cat > x); wait $!; cat x', stdout: 'a\n' },
    { name: '/dev/stdout', line: 'echo a | keepfirst lines -o /dev/stdout', stdout: 'a\n' },
    {
      name: '/dev/stdout in the middle of a file',
      line: '(echo b; echo a | keepfirst lines -o /dev/stdout; echo c) > f; cat f',
      stdout: 'b\na\nc\n',
    },
    { name: 'another descriptor', line: '(echo b; echo a | keepfirst lines -o /dev/fd/3) 3>&1 1>&2', stdout: 'a\n' },
    { name: '-', line: 'echo a | keepfirst lines -o -', stdout: 'a\n' },
  ])('$name', async ({ line, stdout }) => {
    expect(await bench.shell(line)).toMatchObject({ code: 0, stdout })
  })
})

describe('names that cannot be written to', () => {
  test.each([
    { file: '.', says: '.: is a folder' },
    { file: 'no/such', says: 'no/such: no such file or folder' },
    { file: 'round', says: 'round: too many symbolic links' },
    { file: 'file/below', says: 'file/below: a part of the path is not a folder' },
    { file: 'out.zst', says: 'out.zst: keepfirst writes only gzip; try keepfirst … | zstd > out.zst' },
  ])('$file', async ({ file, says }) => {
    symlinkSync('round', bench.path('round'))
    bench.write('file', '')
    expect(await bench.shell(`echo a | keepfirst lines -o '${file}'`)).toEqual({
      code: 1,
      stdout: '',
      stderr: `keepfirst: ${says}\n`,
    })
  })
})

test('after a fault all survivors before it have gone out', async () => {
  const good = many(30_000).replaceAll(/.+/g, (line) => JSON.stringify(line))
  bench.write('in', `${good}{"broken"`)
  const { code, stdout } = await bench.shell('keepfirst json in --removed -  2>/dev/null | wc -l; keepfirst json in')
  expect(code).toBe(1)
  expect(stdout).toContain('"line 29999"')
})
