import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox } from '../../../tests/support/local.ts'
import type { CommandResult } from '../../../tests/support/resident.ts'
import { LOCAL_COMMAND } from '../../../tests/support/server.ts'

/*
 * Bugs that users reported in comparable tools: each is a script for an empty folder and its correct outcome.
 */

interface Reported {
  readonly id: string
  readonly what: string
  readonly files: Readonly<Record<string, string | { readonly base64: string }>>
  readonly shell: string
  readonly expect: {
    readonly rc?: number
    readonly stdout?: string
    readonly stderr?: string
    readonly stderrHas?: string
    readonly files?: Readonly<Record<string, string>>
  }
}

const REPORTED: readonly Reported[] = JSON.parse(readFileSync(new URL('cases/reported.json', import.meta.url), 'utf8'))

let sandbox: Sandbox
beforeEach(() => {
  sandbox = new Sandbox(LOCAL_COMMAND)
})
afterEach(() => sandbox.clear())

describe('bugs reported in other tools', () => {
  test.each(REPORTED)('$id: $what', async ({ files, shell, expect: want }) => {
    for (const [name, text] of Object.entries(files)) {
      sandbox.write(name, typeof text === 'string' ? text : Buffer.from(text.base64, 'base64'))
    }
    const ended = await sandbox.shell(shell)
    const { rc: code, stdout, stderr } = want
    const wanted: Partial<CommandResult> = {
      ...(code === undefined ? {} : { code }),
      ...(stdout === undefined ? {} : { stdout }),
      ...(stderr === undefined ? {} : { stderr }),
    }
    expect(ended).toMatchObject(wanted)
    if (want.stderrHas !== undefined) expect(ended.stderr).toContain(want.stderrHas)
    for (const [name, text] of Object.entries(want.files ?? {})) expect(sandbox.read(name).toString()).toBe(text)
  })
})
