import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMMAND } from './server.ts'

/** A folder of the test's own, and what the command line does in it. */
export class Workbench {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'keepfirst-local-'))
  readonly #command: string

  /** @param command what `keepfirst` stands for */
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

  /** A process of its own, with standard input. */
  process(input: string | Uint8Array, ...args: string[]): Promise<Ended> {
    return this.shell(`exec ${[process.execPath, this.#command, ...args].map(quoted).join(' ')}`, input)
  }

  /** What a user types; `keepfirst` is the command. */
  shell(line: string, input: string | Uint8Array = ''): Promise<Ended> {
    const script = `keepfirst() { '${process.execPath}' '${this.#command}' "$@"; }\n${line}`
    return new Promise((resolve) => {
      const child = execFile(
        'bash',
        ['-c', script],
        { cwd: this.folder, encoding: 'buffer', maxBuffer: 2 ** 28 },
        (error, stdout, stderr) => {
          const code = error === null ? 0 : Number(error.code)
          resolve({ code, stdout: stdout.toString(), stderr: stderr.toString() })
        },
      )
      // A command that fails early does not read on.
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
    })
  }
}

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** A word that a shell takes as it stands. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
