import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandLine } from '../../service/src/command-line.ts'
import { bashCompletions } from '../build/bash.ts'
import { entriesOf } from '../build/commands.ts'
import { fishCompletions } from '../build/fish.ts'
import { manPage } from '../build/man.ts'
import { zshCompletions } from '../build/zsh.ts'

const run = promisify(execFile)
const program = commandLine()
const TEXTS = {
  'keepfirst.bash': bashCompletions(program),
  _keepfirst: zshCompletions(program),
  'keepfirst.fish': fishCompletions(program),
  'keepfirst.1': manPage(program),
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepfirst-shell-'))
  for (const [name, text] of Object.entries(TEXTS)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'a list.txt'), '')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** What each text must contain: all names of commands and all long flags. */
const required = entriesOf(program).flatMap(({ command, options }) => [
  command.name(),
  ...options.map((option) => option.long ?? ''),
])

describe('every command and every long flag occurs', () => {
  test.each(Object.entries(TEXTS))('%s', (file, text) => {
    const plain = text.replaceAll('\\-', '-')
    for (const name of required) {
      const spelled = file.endsWith('.fish') ? name.replace(/^--/, '-l ') : name
      expect(plain, name).toMatch(new RegExp(`(?<![\\w-])${spelled}(?![\\w-])`))
    }
  })
})

describe('bash completes', () => {
  test.each([
    { typed: ['k'], offered: ['keys'] },
    { typed: [''], offered: ['lines', 'rows', 'json', 'serve', 'keys', 'accounts', 'usage', 'migrate', 'backup'] },
    { typed: ['keys', ''], offered: ['create', 'list', 'revoke'] },
    { typed: ['keys', 'create', '--p'], offered: ['--plan'] },
    { typed: ['keys', 'create', '--plan', ''], offered: ['free', 'starter', 'pro'] },
    { typed: ['keys', 'create', '--plan', '=', 's'], offered: ['starter'] },
    { typed: ['keys', 'create', '--name', ''], offered: [] },
    { typed: ['accounts', 'set-plan', 'a@b.example', 'p'], offered: ['pro'] },
    { typed: ['rows', '--fuzzy', '--th'], offered: ['--threshold'] },
    { typed: ['lines', 'a'], offered: ['a list.txt'] },
    { typed: ['json', '--output', 'a'], offered: ['a list.txt'] },
  ])('keepfirst $typed', async ({ typed, offered }) => {
    const script = `. ./keepfirst.bash
COMP_WORDS=(keepfirst "$@") COMP_CWORD=$#
_keepfirst
((\${#COMPREPLY[@]} == 0)) || printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = await run('bash', ['-c', script, 'bash', ...typed], { cwd: folder })
    expect(stderr).toBe('')
    expect(stdout.split('\n').slice(0, -1)).toEqual(offered)
  })
})

function isInstalled(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((path) => existsSync(join(path, name)))
}

describe('where the program is installed', () => {
  test.runIf(isInstalled('zsh'))('zsh reads its completions', async () => {
    const { stderr } = await run('zsh', ['-f', '-c', 'compdef() :; . ./_keepfirst'], {
      cwd: folder,
    })
    expect(stderr).toBe('')
  })

  test.runIf(isInstalled('fish')).each([
    { typed: 'keepfirst keys ', offered: ['create', 'list', 'revoke'] },
    { typed: 'keepfirst keys create --plan ', offered: ['free', 'pro', 'starter'] },
    { typed: 'keepfirst rows --thr', offered: ['--threshold'] },
    { typed: 'keepfirst json --output a', offered: ['a list.txt'] },
  ])('fish completes $typed', async ({ typed, offered }) => {
    const script = 'source keepfirst.fish; complete -C $argv[1]'
    const { stdout, stderr } = await run('fish', ['--no-config', '-c', script, typed], { cwd: folder })
    expect(stderr).toBe('')
    expect(
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split('\t')[0]),
    ).toEqual(offered)
  })

  test.runIf(isInstalled('groff'))('the manual page is formatted without a warning', async () => {
    const { stdout, stderr } = await run('groff', ['-man', '-ww', '-z', 'keepfirst.1'], { cwd: folder })
    expect(stdout + stderr).toBe('')
  })
})

test('the manual page has its sections, and no text line that roff would take for a request', () => {
  const lines = TEXTS['keepfirst.1'].split('\n')
  const sections = lines.filter((line) => line.startsWith('.SH'))
  expect(sections).toEqual(['.SH NAME', '.SH SYNOPSIS', '.SH OPTIONS', '.SH COMMANDS', '.SH EXIT STATUS'])
  expect(lines[0]).toBe('.TH KEEPFIRST 1 "" "keepfirst 1.0.0" "User Commands"')
  for (const line of lines) expect(line).toMatch(/^$|^\.(TH|SH|SS|TP|PP|B|I|br)( |$)|^[^.']/)
})
