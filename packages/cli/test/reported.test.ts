import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Ended, Workbench } from '../../../tests/support/local.ts'
import { LOCAL_COMMAND } from '../../../tests/support/server.ts'

/*
 * Faults that people reported of tools of this trade, each as a script in an empty folder with its right outcome.
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

let bench: Workbench
beforeEach(() => {
  bench = new Workbench(LOCAL_COMMAND)
})
afterEach(() => bench.clear())

describe('reported of other tools', () => {
  test.each(REPORTED)('$id: $what', async ({ files, shell, expect: want }) => {
    for (const [name, text] of Object.entries(files)) {
      bench.write(name, typeof text === 'string' ? text : Buffer.from(text.base64, 'base64'))
    }
    const ended = await bench.shell(shell)
    const { rc: code, stdout, stderr } = want
    const wanted: Partial<Ended> = {
      ...(code === undefined ? {} : { code }),
      ...(stdout === undefined ? {} : { stdout }),
      ...(stderr === undefined ? {} : { stderr }),
    }
    expect(ended).toMatchObject(wanted)
    if (want.stderrHas !== undefined) expect(ended.stderr).toContain(want.stderrHas)
    for (const [name, text] of Object.entries(want.files ?? {})) expect(bench.read(name).toString()).toBe(text)
  })
})
