import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Workbench } from '../../../tests/support/local.ts'
import { LOCAL_COMMAND } from '../../../tests/support/server.ts'

/*
 * The recipes of docs/command-line.md do what they say.
 */

const document = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8')
const [, block = ''] = /## Recipes\n.*?```\n(.*?)```/s.exec(document) ?? []
const recipes = block
  .trim()
  .split('\n')
  .map((line) => {
    const [typed = '', does = ''] = line.split(/\s+# /)
    return { typed, does }
  })

const PEOPLE = 'email,first,last,born\na@x,Ann,Lee,1\nb@x,Ann,Lee,1\na@x,Bob,Ray,2\n'

/** What comes out, by what the recipe does: on standard output, or in the file that it names. */
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
  'another compression than gzip': { file: 'clean.zst', text: 'a\nb\n' },
  'another encoding': { text: 'a\nb\n' },
}

let bench: Workbench
beforeAll(() => {
  bench = new Workbench(LOCAL_COMMAND)
  bench.write('a\nb.jpg', '')
  for (const [name, text] of Object.entries({
    'a.txt': 'a\nb\n',
    'b.txt': 'b',
    'c.txt': 'c\na\n',
    'log.txt': 'a\nb\na\n',
  })) {
    bench.write(name, text)
  }
})
afterAll(() => bench.clear())

const isInstalled = (typed: string): boolean => !typed.includes('zstd') || spawnSync('zstd', ['--version']).status === 0

describe('each recipe', () => {
  test('there are as many as are known', () => {
    expect(recipes.map(({ does }) => does)).toEqual(Object.keys(RESULTS))
  })

  test.each(recipes.filter(({ typed }) => isInstalled(typed)))('$does: $typed', async ({ typed, does }) => {
    const { file, text } = RESULTS[does] ?? { text: '' }
    const isUtf16 = typed.startsWith('iconv')
    bench.write('list.txt', isUtf16 ? Buffer.from('\ufeffa\nb\na\n', 'utf16le') : '#\na\nb\na\n')
    bench.write('people.csv', typed.includes("';'") ? PEOPLE.replaceAll(',', ';') : PEOPLE)
    if (typed.includes('zstd')) execFileSync('zstd', ['-q', '-o', bench.path('list.zst')], { input: 'a\nb\na\n' })
    const { code, stdout } = await bench.shell(typed)
    expect(code).toBe(0)
    const out = file?.endsWith('.zst')
      ? execFileSync('zstd', ['-dc', bench.path(file)]).toString()
      : file
        ? bench.read(file).toString()
        : stdout
    expect(out).toBe(typed.includes("';'") ? text.replaceAll(',', ';') : text)
  })

  test('the last of each row, the header set apart', async () => {
    const [, typed = ''] = /`(\(head -1 p\.csv.*?)`/.exec(document) ?? []
    bench.write('p.csv', 'h,v\n1,a\n2,b\n1,c\n')
    expect((await bench.shell(typed)).stdout).toBe('h,v\n2,b\n1,c\n')
  })
})
