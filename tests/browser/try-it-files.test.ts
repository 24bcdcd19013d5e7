import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startBrowserTests } from '../support/browser.ts'
import { downloaded, editor, openFile, status } from '../support/try-page.ts'

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

/** Drops files on the middle of an element, as if they came from the desktop. */
async function drop(page: Page, on: string, files: string[]): Promise<void> {
  const box = await page.locator(on).boundingBox()
  if (!box) throw new Error(`${on} is not shown`)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const session = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data: { items: [], files, dragOperationsMask: 1 } })
}

describe('dropped and changed files', () => {
  test('a file can be dropped anywhere on the page; of several files the first is opened, and the page says so', async () => {
    const { page, close } = await open('/')
    const files = ['first.txt', 'second.txt'].map((name) => join(server().folder, name))
    for (const file of files) await writeFile(file, `${file}\n`)
    await drop(page, 'h1', files)
    await expect.poll(() => editor(page).inputValue()).toBe(`${files[0]}\n`)
    await page.getByText('Only first.txt was opened').waitFor()
    await drop(page, '.site-header', files.slice(1))
    await expect.poll(() => editor(page).inputValue()).toBe(`${files[1]}\n`)
    expect(await page.getByText('was opened').count()).toBe(0)
    await close()
  })

  test('a folder, and a file that was changed after it had been opened, cannot be read', async () => {
    const { page, problems, close } = await open('/')
    const unreadable = page.getByRole('alert').filter({ hasText: 'This file can’t be read' })
    const folder = join(server().folder, 'folder')
    await mkdir(folder)
    await drop(page, 'h1', [folder])
    await unreadable.waitFor()

    const name = 'changed.txt'
    await openFile(page, server().folder, name, 'line\n'.repeat(50_000))
    await status(page).getByText('50,000 lines').waitFor()
    await writeFile(join(server().folder, name), 'shorter')
    await page.getByRole('button', { name: 'Download kept.txt' }).click()
    await unreadable.waitFor()
    await openFile(page, server().folder, name, 'line\n'.repeat(50_000))
    await status(page).getByText('50,000 lines').waitFor()
    await writeFile(join(server().folder, name), 'shorter')
    await page.getByLabel('Ignore case').check()
    await unreadable.waitFor()
    expect(problems).toEqual([])
    await close()
  })
})
