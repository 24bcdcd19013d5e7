import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandResult, runInResident } from './resident.ts'
import { COMMAND, ENVIRONMENT } from './server.ts'

/** A temporary folder for a test, and a way to run the command line in it. */
export class Sandbox {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'keepfirst-local-'))
  readonly #command: string

  /** @param command the program that `keepfirst` stands for */
  constructor(command: string = COMMAND) {
    this.#command = command
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  write(name: string, content: string | Uint8Array): string {
    writeFileSync(this.path(name), content)
    return this.path(name)
  }

  read(name: string): Buffer {
    return readFileSync(this.path(name))
  }

  clear(): void {
    rmSync(this.folder, { recursive: true })
  }

  /** Runs a local command with standard input, in a long-lived process that runs one command after another. */
  run(input: string | Uint8Array, ...args: string[]): Promise<CommandResult> {
    return runInResident({ program: 'local', folder: this.folder, env: ENVIRONMENT, input, args })
  }

  /** Runs a shell line in which `keepfirst` is the command. */
  shell(line: string, input: string | Uint8Array = ''): Promise<CommandResult> {
    const env = { ...process.env, PATH: `${folderOfProgram(this.#command)}:${process.env.PATH}` }
    return new Promise((resolve) => {
      const child = execFile(
        'bash',
        ['-c', line],
        { cwd: this.folder, env, encoding: 'buffer', maxBuffer: 2 ** 28 },
        (error, stdout, stderr) => {
          // A shell that a signal ended has no code.
          const code = error === null ? 0 : Number(error.code ?? Number.NaN)
          resolve({ code, stdout: stdout.toString(), stderr: stderr.toString() })
        },
      )
      // A command that fails early stops reading.
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
    })
  }
}

const programs = new Map<string, string>()

/** A folder whose only program is `keepfirst`, so that shells and programs like `timeout` find it, and no other. */
export function folderOfProgram(command: string): string {
  const known = programs.get(command)
  if (known !== undefined) return known
  const folder = mkdtempSync(join(tmpdir(), 'keepfirst-program-'))
  const script = `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`
  writeFileSync(join(folder, 'keepfirst'), script, { mode: 0o755 })
  programs.set(command, folder)
  return folder
}
