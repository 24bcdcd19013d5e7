import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Workbench } from '../../../tests/support/local.ts'
import { LOCAL_COMMAND } from '../../../tests/support/server.ts'
import { parseMemory, usualKeyMemory } from '../src/key-memory.ts'

/*
 * Keys beyond --memory go to a temporary file: private, in TMPDIR, and gone however the command ends.
 */

let bench: Workbench
beforeEach(() => {
  bench = new Workbench(LOCAL_COMMAND)
  mkdirSync(bench.path('tmp'))
  bench.write('list', list(200_000))
})
afterEach(() => bench.clear())

/** Lines of which each comes twice, far apart. */
function list(distinct: number): string {
  const once = Array.from({ length: distinct }, (_, at) => `line ${(at * 7_919) % distinct}\n`).join('')
  return once + once
}

describe('--memory', () => {
  test.each([
    { name: 'lines', args: ['lines', 'list'] },
    { name: 'every byte compared', args: ['lines', '--exact', 'list'] },
    { name: 'packed', args: ['lines', 'list', '-o', 'out.gz'] },
    { name: 'rows with a report', args: ['rows', '--no-header', '-k', '0', '--removed', 'report', 'list'] },
  ])('$name: the same with 1 MB as with all', async ({ args }) => {
    const [bounded, all] = ['--memory 1M', ''].map(
      (flag) => () =>
        bench.shell(
          `TMPDIR=tmp keepfirst ${args.join(' ')} ${flag} --count | sha256sum; if test -f out.gz; then zcat out.gz | sha256sum; fi; sha256sum report 2>/dev/null`,
        ),
    )
    const first = await bounded?.()
    expect(first).toEqual(await all?.())
    expect(first?.stderr).toBe('{"kept":200000,"removed":200000}\n')
    expect(readdirSync(bench.path('tmp'))).toEqual([])
  })

  test('a full disk is told of, and the file stays as it was', async () => {
    bench.write('old', 'as it was\n')
    // A bound on the size of files stands for the disk's end.
    const { code, stderr } = await bench.shell('ulimit -f 1000; TMPDIR=tmp keepfirst lines --memory 1M list -o old')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'keepfirst: temporary files in tmp: file too large; TMPDIR names another folder for them, --memory makes fewer of them\n',
    })
    expect(bench.read('old').toString()).toBe('as it was\n')
    expect(readdirSync(bench.path('tmp'))).toEqual([])
    expect(readdirSync(bench.folder).sort()).toEqual(['list', 'old', 'tmp'])
  })

  test('a folder that is not there is told of', async () => {
    const { code, stderr } = await bench.shell('TMPDIR=nosuch keepfirst lines --memory 1M list > /dev/null')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^keepfirst: temporary files in nosuch: no such file or folder; TMPDIR .*\n$/)
  })

  test.runIf(process.platform === 'linux')('the temporary file has no name, and goes with the process', async () => {
    const env = { ...process.env, TMPDIR: bench.path('tmp') }
    const args = [LOCAL_COMMAND, 'lines', '--memory', '1M', '-o', 'out']
    const child = spawn(process.execPath, args, { env, cwd: bench.folder, stdio: ['pipe', 'ignore', 'ignore'] })
    child.stdin.on('error', () => {})
    child.stdin.write(readFileSync(bench.path('list')))
    const opened = () => {
      const links = readdirSync(`/proc/${child.pid}/fd`).flatMap((fd) => linkOf(`/proc/${child.pid}/fd/${fd}`))
      return links.filter((link) => link.startsWith(bench.path('tmp')))
    }
    await expect.poll(opened, { timeout: 60_000 }).toEqual([expect.stringMatching(/\(deleted\)$/)])
    expect(readdirSync(bench.path('tmp'))).toEqual([])
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(readdirSync(bench.path('tmp'))).toEqual([])
  })

  test.each(['', '0', '1K', '-1M', '12X', 'much', '1,5G'])('%j is not a size: wrong use', async (size) => {
    expect(await bench.run('', 'lines', `--memory=${size}`)).toMatchObject({ code: 2, stdout: '' })
  })

  test('--fuzzy cannot be bound', async () => {
    expect(await bench.run('', 'rows', '--fuzzy', '--memory', '1G')).toMatchObject({ code: 2, stdout: '' })
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

  test('without the flag keys take at most half of the machine', () => {
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
