import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND, ENVIRONMENT, removeFolder } from '../support/server.ts'

/*
 * All commands that print, with a standard output that accepts nothing.
 */

const PRINTING = [
  ['--help'],
  ['keys', '--help'],
  ['lines', '--help'],
  ['lines'],
  ['rows'],
  ['json'],
  ['keys', 'create', '--account', 'pipes@example.com', '--plan', 'pro'],
  ['keys', 'list'],
  ['keys', 'list', '--json'],
  ['accounts', 'list'],
  ['accounts', 'password', 'pipes@example.com'],
  ['accounts', 'set-plan', 'pipes@example.com', 'pro'],
  ['usage'],
  ['usage', '--events', '--json'],
].map((args) => ({ command: args.join(' '), args }))

let folder: string
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepfirst-pipes-'))
  env = { ...ENVIRONMENT, DATABASE_URL: `sqlite:${folder}/keepfirst.db` }
  expect(await resultOf(start(['keys', 'create', '--account', 'pipes@example.com']))).toEqual({ code: 0, stderr: '' })
})
afterAll(() => removeFolder(folder))

/** Starts a command with one item on standard input, and standard output to a pipe or an open file. */
function start(args: readonly string[], stdout: 'pipe' | number = 'pipe'): ChildProcess {
  const child = spawn(process.execPath, [COMMAND, ...args], { env, cwd: folder, stdio: ['pipe', stdout, 'pipe'] })
  child.stdin?.end('[1]\n')
  return child
}

async function resultOf(child: ChildProcess): Promise<{ code: unknown; stderr: string }> {
  const errors = child.stderr ? text(child.stderr) : ''
  const [stderr, [code]] = await Promise.all([errors, once(child, 'close')])
  return { code, stderr }
}

describe('if the reader of its output has closed the pipe, a command ends silently with exit code 141', () => {
  test.each(PRINTING)('keepfirst $command', async ({ args }) => {
    const child = start(args)
    child.stdout?.destroy()
    expect(await resultOf(child)).toEqual({ code: 141, stderr: '' })
  })

  test('standard error', async () => {
    const child = start(['lines', '--count'])
    child.stdout?.resume()
    child.stderr?.destroy()
    expect(await once(child, 'close')).toEqual([141, null])
  })
})

describe('if the disk is full, a command ends with one line and exit code 1', () => {
  test.each(PRINTING)('keepfirst $command', async ({ args }) => {
    const full = await open('/dev/full', 'w')
    try {
      const stderr = 'keepfirst: standard output: no space left on device\n'
      expect(await resultOf(start(args, full.fd))).toEqual({ code: 1, stderr })
    } finally {
      await full.close()
    }
  })
})
