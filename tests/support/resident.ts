import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface ResidentCommand {
  /** Only the local commands, or those for operators, too. `serve` needs a process of its own. */
  readonly program: 'local' | 'operator'
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** Standard input. */
  readonly input?: string | Uint8Array
  readonly args: readonly string[]
}

let resident: ChildProcess | undefined
let lastRun: Promise<unknown> = Promise.resolve()

/** Runs a command in a long-lived process that runs one command after another. */
export function runInResident(command: ResidentCommand): Promise<CommandResult> {
  const ended = lastRun.then(() => run(command))
  lastRun = ended.catch(() => undefined)
  return ended
}

async function run({ input = '', ...command }: ResidentCommand): Promise<CommandResult> {
  resident ??= fork(join(import.meta.dirname, 'resident.mjs'), { execArgv: [] })
  const own = mkdtempSync(join(tmpdir(), 'keepfirst-streams-'))
  const [stdin = '', stdout = '', stderr = ''] = ['0', '1', '2'].map((name) => join(own, name))
  writeFileSync(stdin, input)
  const streams = [
    { file: stdin, flags: 'r' },
    { file: stdout, flags: 'w' },
    { file: stderr, flags: 'w' },
  ]
  resident.send({ ...command, streams })
  const ended = new AbortController()
  const { signal } = ended
  try {
    const died = once(resident, 'exit', { signal }).then(() => {
      throw new Error(readFileSync(stderr, 'utf8'))
    })
    const [code] = await Promise.race([once(resident, 'message', { signal }), died])
    return { code: Number(code), stdout: readFileSync(stdout, 'utf8'), stderr: readFileSync(stderr, 'utf8') }
  } finally {
    ended.abort()
    rmSync(own, { recursive: true })
  }
}
