import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Sandbox } from '../../../tests/support/local.ts'
import { LOCAL_COMMAND } from '../../../tests/support/server.ts'

/*
 * The recipes of docs/command-line.md do what the document says.
 */

const document = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8')
const [, block = ''] = /## Recipes\n.*?```\n(.*?)```/s.exec(document) ?? []
const recipes = block
  .trim()
  .split('\n')
  .map((line) => {
    const [command = '', description = ''] = line.split(/\s+# /)
    return { command, description }
  })

const PEOPLE = 'email,first,last,born\na@x,Ann,Lee,1\nb@x,Ann,Lee,1\na@x,Bob,Ray,2\n'

/** The expected output by the description of the recipe: standard output, or the content of a file. */
const RESULTS: Readonly<Record<string, { readonly file?: string; readonly text: string }>> = {
  'by one column': { text: 'email,first,last,born\na@x,Ann,Lee,1\nb@x,Ann,Lee,1\n' },
  'by several: all of them must be equal': { text: 'email,first,last,born\na@x,Ann,Lee,1\na@x,Bob,Ray,2\n' },
  'separated by semicolons': { text: 'email,first,last,born\na@x,Ann,Lee,1\nb@x,Ann,Lee,1\n' },
  'several files as one list': { file: 'all.txt', text: 'a\nb\nc\n' },
  'a pipe that ends in its own input file': { file: 'list.txt', text: 'a\nb\n' },
  'file names that may contain line breaks': { text: './a\nb.jpg\0' },
  'keep the last of each, not the first': { text: 'b\na\n' },
  'only the duplicates, with their positions': { text: '4\t2\ta\n' },
  'only the counts': { text: '' },
  'a compression other than gzip': { file: 'clean.zst', text: 'a\nb\n' },
  'another encoding': { text: 'a\nb\n' },
}

let sandbox: Sandbox
beforeAll(() => {
  sandbox = new Sandbox(LOCAL_COMMAND)
  sandbox.write('a\nb.jpg', '')
  for (const [name, text] of Object.entries({
    'a.txt': 'a\nb\n',
    'b.txt': 'b',
    'c.txt': 'c\na\n',
    'log.txt': 'a\nb\na\n',
  })) {
    sandbox.write(name, text)
  }
})
afterAll(() => sandbox.clear())

const isInstalled = (command: string): boolean =>
  !command.includes('zstd') || spawnSync('zstd', ['--version']).status === 0

describe('each recipe', () => {
  test('all recipes have an expected output here', () => {
    expect(recipes.map(({ description }) => description)).toEqual(Object.keys(RESULTS))
  })

  test.each(recipes.filter(({ command }) => isInstalled(command)))('$description: $command', async (recipe) => {
    const { command, description } = recipe
    const { file, text } = RESULTS[description] ?? { text: '' }
    const isUtf16 = command.startsWith('iconv')
    sandbox.write('list.txt', isUtf16 ? Buffer.from('\ufeffa\nb\na\n', 'utf16le') : '#\na\nb\na\n')
    sandbox.write('people.csv', command.includes("';'") ? PEOPLE.replaceAll(',', ';') : PEOPLE)
    if (command.includes('zstd')) execFileSync('zstd', ['-q', '-o', sandbox.path('list.zst')], { input: 'a\nb\na\n' })
    const { code, stdout } = await sandbox.shell(command)
    expect(code).toBe(0)
    const out = file?.endsWith('.zst')
      ? execFileSync('zstd', ['-dc', sandbox.path(file)]).toString()
      : file
        ? sandbox.read(file).toString()
        : stdout
    expect(out).toBe(command.includes("';'") ? text.replaceAll(',', ';') : text)
  })

  test('keeping the last row of each key, with a header', async () => {
    const [, command = ''] = /`(\(head -1 p\.csv.*?)`/.exec(document) ?? []
    sandbox.write('p.csv', 'h,v\n1,a\n2,b\n1,c\n')
    expect((await sandbox.shell(command)).stdout).toBe('h,v\n2,b\n1,c\n')
  })
})
