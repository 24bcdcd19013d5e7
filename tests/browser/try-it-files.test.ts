import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startBrowserTests } from '../support/browser.ts'
import { downloaded, openFile, status } from '../support/try-page.ts'

const { server, open } = startBrowserTests()

const FILES = [
  {
    name: 'mixed line breaks, none at the end',
    file: 'a.txt',
    command: ['lines'],
    text: 'oak\r\nelm\roak\nfir\r\nelm',
  },
  { name: 'a final line break', file: 'b.txt', command: ['lines'], text: 'oak\nelm\noak\n' },
  { name: 'an empty file', file: 'c.txt', command: ['lines'], text: '' },
  {
    name: 'rows of different lengths, with CR line breaks, a byte order mark and unnecessary quotes',
    file: 'd.csv',
    command: ['rows'],
    text: '\ufeffid,n\r1,"x"\r1,x\r2\r2\r"3, a",y',
  },
  {
    name: 'cells with line breaks and quotes',
    file: 'e.csv',
    command: ['rows'],
    text: 'id,n\r\n1,"a\nb"\r\n2,"say ""so"""\r\n1,"a\nb"\r\n',
  },
  { name: 'an array', file: 'f.json', command: ['json'], text: '[ {"a": 1.0},\n  {"a":1} ,\t1e400, 10E399 ]\n' },
  {
    name: 'cells separated by semicolons',
    file: 'h.csv',
    command: ['rows', '-d', ';'],
    text: 'id;n;m\n1;"a;b";c\n2;x;y\n1;a;b\n1;"a;b";c\n',
  },
  {
    name: 'items with line breaks and tabs',
    file: 'i.json',
    command: ['json'],
    text: '[{"a":1,"b":2},\r\n {"a":1,\r\n\t"b":\t2 },\n\t{\t"a":1,\n"b":2}]',
  },
  {
    name: 'one value per line, and a blank line',
    file: 'g.jsonl',
    command: ['json'],
    text: '{"a":1}\n\n{"a":1}\n{"a":2}',
  },
]

describe('an opened file gets the same counts and output as on the command line', () => {
  test.each(FILES)('$name', async ({ file, command, text }) => {
    const { page, close } = await open('/')
    await openFile(page, server().folder, file, text)
    const [mode] = command
    if (mode !== 'lines') await page.getByRole('button', { name: /^Read it/ }).click()

    const report = join(server().folder, 'report')
    const local = await server().cli(...command, '--count', '--removed', report, join(server().folder, file))
    const { kept, removed }: { kept: number; removed: number } = JSON.parse(local.stderr)
    await status(page).getByText(`${kept} kept · ${removed} removed`).waitFor()
    expect(await downloaded(page, `Download kept.${file.slice(2)}`)).toBe(local.stdout)
    await page.getByRole('tab', { name: 'Removed' }).click()
    expect(await downloaded(page, 'Download removed')).toBe(await readFile(report, 'utf8'))
    await close()
  })
})
