import { spawn, spawnSync } from 'node:child_process'
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
import { Sandbox } from '../../../tests/support/local.ts'
import { LOCAL_COMMAND } from '../../../tests/support/server.ts'

/*
 * An output file is replaced completely or not at all, and keeps its permissions, owner and links.
 */

let sandbox: Sandbox
beforeEach(() => {
  sandbox = new Sandbox(LOCAL_COMMAND)
})
afterEach(() => sandbox.clear())

const isRoot = process.getuid?.() === 0
const mayMount = isRoot && spawnSync('unshare', ['-m', 'true']).status === 0
const many = (lines: number): string => Array.from({ length: lines }, (_, i) => `line ${i}\n`).join('')

/** Resolves when the folder contains this many temporary output files. */
async function draftsIn(folder: string, count: number): Promise<void> {
  const drafts = () => readdirSync(folder).filter((name) => name.startsWith('.')).length
  const watcher = watch(folder)
  while (drafts() < count) await once(watcher, 'change')
  watcher.close()
}

describe('the output file is unchanged, and no temporary file is left', () => {
  test.each([
    { name: 'invalid input', line: "printf '1\\n{' | keepfirst json --output old", code: 1 },
    { name: 'an invalid second file', line: "echo 1 > a; printf '{' > b; keepfirst json a b --output old", code: 1 },
    { name: 'a missing file', line: 'keepfirst lines nosuch --output old', code: 1 },
    { name: 'input that is not text', line: "printf '\\377\\376a' > u; keepfirst lines u --output old", code: 1 },
    { name: 'damaged gzip', line: 'seq 99999 | gzip | head -c 9999 | keepfirst lines --output old', code: 1 },
    { name: 'a full disk', line: 'seq 300000 > in; ulimit -f 1000; keepfirst lines in --output old', code: 1 },
    { name: 'a report that cannot be opened', line: 'echo a | keepfirst lines -o old --removed no/such', code: 1 },
    {
      name: 'a full disk when the report is written',
      line: "printf 'a\\na\\n' | keepfirst lines -o old --removed /dev/full",
      code: 1,
    },
    { name: 'a wrong flag', line: 'echo a | keepfirst lines --output old --nosuch', code: 2 },
    {
      name: 'a report whose reader has closed the pipe',
      line: 'set -o pipefail; seq 99999 > s; cat s s | keepfirst lines -o old --removed - | true',
      code: 141,
    },
  ])('$name', async ({ line, code }) => {
    sandbox.write('old', 'as it was\n')
    expect((await sandbox.shell(line)).code).toBe(code)
    expect(sandbox.read('old').toString()).toBe('as it was\n')
    expect(readdirSync(sandbox.folder).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)('%s, which ends the command', async (signal) => {
    sandbox.write('old', 'as it was\n')
    const args = [LOCAL_COMMAND, 'lines', '--output', 'old', '--removed', 'new']
    const drafts = draftsIn(sandbox.folder, 2)
    const child = spawn(process.execPath, args, { cwd: sandbox.folder, stdio: ['pipe', 'ignore', 'ignore'] })
    child.stdin.write('a\na\n')
    await drafts
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([null, signal])
    expect(sandbox.read('old').toString()).toBe('as it was\n')
    expect(readdirSync(sandbox.folder)).toEqual(['old'])
  })

  test.each([
    { name: 'similar rows', flags: 'rows --fuzzy', input: 'yes | head -50000' },
    { name: 'lines that did not fit in memory', flags: 'lines --memory 1M', input: 'seq 80000 | tee -a in' },
  ])('a signal while $name are written at the end', async ({ flags, input }) => {
    sandbox.write('old', 'as it was\n')
    // The first byte of the report shows that the command waits for a reader of the rest.
    const { stdout } = await sandbox.shell(`${input} >> in; mkfifo report
      keepfirst ${flags} -o old --removed report in & exec 3< report
      head -c 1 <&3 > first; kill -TERM $!; cat <&3 > rest; wait $!; echo $?`)
    expect(stdout).toBe('143\n')
    expect(sandbox.read('old').toString()).toBe('as it was\n')
    expect(readdirSync(sandbox.folder).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('the old content can be read until the new one is complete', async () => {
    sandbox.write('list', many(60_000))
    const { code } = await sandbox.shell('cat list list | keepfirst lines --output list')
    expect(code).toBe(0)
    expect(sandbox.read('list').toString()).toBe(many(60_000))
  })

  test('output and report are either both replaced or both unchanged', async () => {
    sandbox.write('report', 'old\n')
    const { code } = await sandbox.shell("printf '1\\n1\\n{' | keepfirst json -o out --removed report")
    expect(code).toBe(1)
    expect(readdirSync(sandbox.folder)).toEqual(['report'])
    expect(sandbox.read('report').toString()).toBe('old\n')
  })
})

describe('permissions, owner and links of an output file', () => {
  test('a new file has the permissions of the umask', async () => {
    await sandbox.shell('umask 027; echo a | keepfirst lines -o new')
    expect(statSync(sandbox.path('new')).mode & 0o777).toBe(0o640)
  })

  test.each([0o600, 0o664, 0o4755])('permissions %o are kept', async (mode) => {
    chmodSync(sandbox.write('old', 'b\n'), mode)
    await sandbox.shell('echo a | keepfirst lines -o old')
    expect(statSync(sandbox.path('old')).mode & 0o7777).toBe(mode)
    expect(sandbox.read('old').toString()).toBe('a\n')
  })

  test.runIf(isRoot)('the owner is kept', async () => {
    chownSync(sandbox.write('old', 'b\n'), 1_234, 2_345)
    await sandbox.shell('echo a | keepfirst lines -o old')
    expect(statSync(sandbox.path('old'))).toMatchObject({ uid: 1_234, gid: 2_345 })
  })

  test.each([
    { name: 'that points to a file', to: 'real' },
    { name: 'that points to a link', to: 'second' },
    { name: 'that points to a missing file', to: 'folder/new' },
  ])('a symbolic link $name is followed', async ({ to }) => {
    mkdirSync(sandbox.path('folder'))
    sandbox.write('real', 'b\n')
    symlinkSync('real', sandbox.path('second'))
    symlinkSync(to, sandbox.path('link'))
    expect(await sandbox.shell('echo a | keepfirst lines -o link; cat link')).toMatchObject({ code: 0, stdout: 'a\n' })
    expect(readlinkSync(sandbox.path('link'))).toBe(to)
    expect(readdirSync(sandbox.path('folder'))).toEqual(to === 'folder/new' ? ['new'] : [])
  })

  test.each(['-o old', '--in-place old'])('other hard links to the file have the new content (%s)', async (flag) => {
    linkSync(sandbox.write('old', 'a\nb\na\n'), sandbox.path('other'))
    const input = flag.startsWith('-o') ? "printf 'a\\nb\\na\\n' |" : ''
    await sandbox.shell(`${input} keepfirst lines ${flag}`)
    expect(sandbox.read('other').toString()).toBe('a\nb\n')
    expect(statSync(sandbox.path('old')).nlink).toBe(2)
    expect(readdirSync(sandbox.folder).sort()).toEqual(['old', 'other'])
  })

  test.runIf(isRoot)('a file in a folder in which no file may be created is overwritten', async () => {
    mkdirSync(sandbox.path('closed'))
    const file = sandbox.path('closed/list')
    writeFileSync(file, 'a\na\n')
    chownSync(file, 65_534, 65_534)
    chmodSync(sandbox.path('closed'), 0o755)
    chmodSync(sandbox.folder, 0o755)
    const script = `keepfirst() { setpriv --reuid 65534 --regid 65534 --clear-groups '${process.execPath}' '${LOCAL_COMMAND}' "$@"; }
      keepfirst lines --in-place closed/list; echo b | keepfirst lines -o closed/new; ls -A closed`
    const { stdout, stderr } = await sandbox.shell(script)
    expect(stderr).toBe('keepfirst: closed/new: permission denied\n')
    expect(stdout).toBe('list\n')
    expect(sandbox.read('closed/list').toString()).toBe('a\n')
  })

  test.runIf(mayMount)('a file that is a mount point is overwritten', async () => {
    sandbox.write('shown', 'b\na\nb\n')
    sandbox.write('list', '')
    const mounted = `unshare -m bash -c 'mount --bind shown list && "$0" "$@"' '${process.execPath}' '${LOCAL_COMMAND}'`
    expect(await sandbox.shell(`${mounted} lines --in-place list`)).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(sandbox.read('shown').toString()).toBe('b\na\n')
    expect(readdirSync(sandbox.folder).sort()).toEqual(['list', 'shown'])
  })

  test.runIf(isRoot)('a folder that may be written but not read is no obstacle', async () => {
    mkdirSync(sandbox.path('drop'))
    chownSync(sandbox.path('drop'), 65_534, 65_534)
    chmodSync(sandbox.path('drop'), 0o300)
    chmodSync(sandbox.folder, 0o755)
    const nobody = `setpriv --reuid 65534 --regid 65534 --clear-groups '${process.execPath}' '${LOCAL_COMMAND}'`
    expect(await sandbox.shell(`echo a | ${nobody} lines -o drop/new`)).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(sandbox.read('drop/new').toString()).toBe('a\n')
  })

  test.runIf(isRoot)('a file that is not writable is not replaced', async () => {
    sandbox.write('old', 'b\n')
    chmodSync(sandbox.folder, 0o777)
    const { stderr } = await sandbox.shell(
      `echo a | setpriv --reuid 65534 --regid 65534 --clear-groups '${process.execPath}' '${LOCAL_COMMAND}' lines -o old; cat old >&2`,
    )
    expect(stderr).toBe('keepfirst: old: permission denied\nb\n')
  })
})

describe('what is not a regular file is written directly', () => {
  test.each([
    { name: '/dev/null', line: 'echo a | keepfirst lines -o /dev/null; ls -l /dev/null | head -c 1', stdout: 'c' },
    { name: 'a named pipe', line: 'mkfifo p; cat p & echo a | keepfirst lines -o p; wait; test -p p', stdout: 'a\n' },
    {
      // Bash cannot wait for a process substitution in a pipeline.
      name: 'a process substitution',
      line: 'echo a | keepfirst lines -o >(cat > x); until test -s x; do sleep 0.05; done; cat x',
      stdout: 'a\n',
    },
    { name: '/dev/stdout', line: 'echo a | keepfirst lines -o /dev/stdout', stdout: 'a\n' },
    {
      name: '/dev/stdout in the middle of a file',
      line: '(echo b; echo a | keepfirst lines -o /dev/stdout; echo c) > f; cat f',
      stdout: 'b\na\nc\n',
    },
    {
      name: 'another file descriptor',
      line: '(echo b; echo a | keepfirst lines -o /dev/fd/3) 3>&1 1>&2',
      stdout: 'a\n',
    },
    { name: '-', line: 'echo a | keepfirst lines -o -', stdout: 'a\n' },
  ])('$name', async ({ line, stdout }) => {
    expect(await sandbox.shell(line)).toMatchObject({ code: 0, stdout })
  })
})

describe('paths that cannot be written to', () => {
  test.each([
    { file: '.', says: '.: is a folder' },
    { file: 'folder/', says: 'folder/: is a folder' },
    { file: 'nosuch/', says: 'nosuch/: no such file or folder' },
    { file: 'file/', says: 'file/: a part of the path is not a folder' },
    { file: '', says: "'': no such file or folder" },
    { file: '/dev/fd/99', says: '/dev/fd/99: no such file or folder' },
    { file: 'no/such', says: 'no/such: no such file or folder' },
    { file: 'round', says: 'round: too many symbolic links' },
    { file: 'file/below', says: 'file/below: a part of the path is not a folder' },
    { file: 'my out.xz', says: "my out.xz: keepfirst writes only gzip; try keepfirst … | xz > 'my out.xz'" },
    { file: 'out.zst', says: 'out.zst: keepfirst writes only gzip; try keepfirst … | zstd > out.zst' },
  ])('$file', async ({ file, says }) => {
    symlinkSync('round', sandbox.path('round'))
    sandbox.write('file', '')
    mkdirSync(sandbox.path('folder'))
    expect(await sandbox.shell(`echo a | keepfirst lines -o '${file}'`)).toEqual({
      code: 1,
      stdout: '',
      stderr: `keepfirst: ${says}\n`,
    })
  })
})

test('a descriptor that was not opened for the command is refused: Node.js may have one with that number', async () => {
  const { stdout, stderr } = await sandbox.shell(
    'for fd in {3..16}; do echo a | keepfirst lines -o /dev/fd/$fd && echo $fd; done',
  )
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^(keepfirst: \/dev\/fd\/\d+: (is not open for writing|no such file or folder)\n){14}$/)
})

test('all survivors before invalid input are written', async () => {
  const good = many(30_000).replaceAll(/.+/g, (line) => JSON.stringify(line))
  sandbox.write('in', `${good}{"broken"`)
  const { code, stdout } = await sandbox.shell('keepfirst json in --removed -  2>/dev/null | wc -l; keepfirst json in')
  expect(code).toBe(1)
  expect(stdout).toContain('"line 29999"')
})
