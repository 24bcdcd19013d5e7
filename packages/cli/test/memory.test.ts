import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from '../../../tests/support/local.ts'
import { LOCAL_COMMAND } from '../../../tests/support/server.ts'
import { parseMemory, usualKeyMemory } from '../src/key-memory.ts'

/*
 * Keys beyond --memory go to a temporary file, which is private, in TMPDIR, and removed however the command ends.
 */

let sandbox: Sandbox
beforeEach(() => {
  sandbox = new Sandbox(LOCAL_COMMAND)
  mkdirSync(sandbox.path('tmp'))
  sandbox.write('list', list(200_000))
})
afterEach(() => sandbox.clear())

/** Lines that each occur twice, far apart. */
function list(distinct: number): string {
  const once = Array.from({ length: distinct }, (_, at) => `line ${(at * 7_919) % distinct}\n`).join('')
  return once + once
}

describe('--memory', () => {
  test.each([
    { name: 'lines', args: ['lines', 'list'] },
    { name: 'lines compared byte by byte', args: ['lines', '--exact', 'list'] },
    { name: 'lines, compressed', args: ['lines', 'list', '-o', 'out.gz'] },
    { name: 'rows with a report', args: ['rows', '--no-header', '-k', '0', '--removed', 'report', 'list'] },
  ])('$name: the same result with 1 MB as without a limit', async ({ args }) => {
    const [bounded, all] = ['--memory 1M', ''].map(
      (flag) => () =>
        sandbox.shell(
          `TMPDIR=tmp keepfirst ${args.join(' ')} ${flag} --count | sha256sum; if test -f out.gz; then zcat out.gz | sha256sum; fi; sha256sum report 2>/dev/null`,
        ),
    )
    const first = await bounded?.()
    expect(first).toEqual(await all?.())
    expect(first?.stderr).toBe('{"kept":200000,"removed":200000}\n')
    expect(readdirSync(sandbox.path('tmp'))).toEqual([])
  })

  test('a full disk is reported, and the output file is unchanged', async () => {
    sandbox.write('old', 'as it was\n')
    // A limit on the size of files simulates a full disk.
    const { code, stderr } = await sandbox.shell('ulimit -f 1000; TMPDIR=tmp keepfirst lines --memory 1M list -o old')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'keepfirst: temporary files in tmp: file too large; set TMPDIR to another folder, or use a larger --memory\n',
    })
    expect(sandbox.read('old').toString()).toBe('as it was\n')
    expect(readdirSync(sandbox.path('tmp'))).toEqual([])
    expect(readdirSync(sandbox.folder).sort()).toEqual(['list', 'old', 'tmp'])
  })

  test('a missing folder is reported', async () => {
    const { code, stderr } = await sandbox.shell('TMPDIR=nosuch keepfirst lines --memory 1M list > /dev/null')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^keepfirst: temporary files in nosuch: no such file or folder; set TMPDIR .*\n$/)
  })

  test.runIf(process.platform === 'linux')(
    'the temporary file has no name, and disappears with the process',
    async () => {
      const env = { ...process.env, TMPDIR: sandbox.path('tmp') }
      const args = [LOCAL_COMMAND, 'lines', '--memory', '1M', '-o', 'out']
      const child = spawn(process.execPath, args, { env, cwd: sandbox.folder, stdio: ['pipe', 'ignore', 'ignore'] })
      child.stdin.on('error', () => {})
      child.stdin.write(readFileSync(sandbox.path('list')))
      const opened = () => {
        const links = readdirSync(`/proc/${child.pid}/fd`).flatMap((fd) => linkOf(`/proc/${child.pid}/fd/${fd}`))
        return links.filter((link) => link.startsWith(sandbox.path('tmp')))
      }
      await expect.poll(opened).toEqual([expect.stringMatching(/\(deleted\)$/)])
      expect(readdirSync(sandbox.path('tmp'))).toEqual([])
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(readdirSync(sandbox.path('tmp'))).toEqual([])
    },
  )

  test.each(['', '0', '1K', '-1M', '12X', 'much', '1,5G'])('%j is not a size: usage error', async (size) => {
    expect(await sandbox.run('', 'lines', `--memory=${size}`)).toMatchObject({ code: 2, stdout: '' })
  })

  test('--fuzzy cannot be combined with --memory', async () => {
    expect(await sandbox.run('', 'rows', '--fuzzy', '--memory', '1G')).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('sizes', () => {
  test.each([
    { text: '1M', bytes: 1_048_576 },
    { text: '512m', bytes: 536_870_912 },
    { text: '1.5G', bytes: 1_610_612_736 },
    { text: '2GB', bytes: 2_147_483_648 },
    { text: '2GiB', bytes: 2_147_483_648 },
    { text: '2048K', bytes: 2_097_152 },
    { text: '1048576', bytes: 1_048_576 },
  ])('$text', ({ text, bytes }) => expect(parseMemory(text)).toBe(bytes))

  test('the default without the flag is a plausible size', () => {
    expect(usualKeyMemory()).toBeGreaterThan(2 ** 24)
    expect(Number.isSafeInteger(usualKeyMemory())).toBe(true)
  })
})

function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path)]
  } catch {
    return []
  }
}
