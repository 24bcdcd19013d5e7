import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type OpenedPage, startBrowserTests, textContentOf } from '../support/browser.ts'
import {
  chip,
  chooseMode,
  downloaded,
  downloadedBytes,
  editor,
  linesOf,
  openFile,
  status,
} from '../support/try-page.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)
const { server, open: openPage } = startBrowserTests()

const PERMISSIONS = ['clipboard-read', 'clipboard-write']
const open = (): Promise<OpenedPage> => openPage('/', { acceptDownloads: true, permissions: PERMISSIONS })
const folder = (): string => server().folder

describe('the result is shown at once, with the removed entries and their survivors', () => {
  test('lines', async () => {
    const { page, close } = await open()
    await editor(page).fill('Anna\nBen\n anna\nBEN\n\nCleo')
    await page.getByLabel('Trim lines').check()
    await page.getByLabel('Ignore case').check()
    await page.getByLabel('Drop empty lines').check()
    await page.getByText('6 lines · 3 kept · 2 removed · 1 empty line dropped').waitFor()
    expect(await linesOf(page, 'Kept')).toEqual(['1 Anna', '2 Ben', '6 Cleo'])
    expect(await linesOf(page, 'Removed')).toEqual(['▾1 Anna', '↳ 3 anna Restore', '▾2 Ben', '↳ 4 BEN Restore'])
    expect(await downloaded(page, 'Download removed.tsv')).toBe('3\t1\tanna\n4\t2\tBEN\n')
    await page.getByRole('tab', { name: 'Kept' }).click()
    expect(await downloaded(page, 'Download kept.txt')).toBe('Anna\nBen\nCleo')
    await close()
  })

  test('CSV rows, by chosen columns', async () => {
    const { page, close } = await open()
    await chooseMode(page, 'CSV rows')
    await editor(page).fill('id,email\n1,ana@example.com\n2,"ben, jr"\n3,ana@example.com')
    await page.getByText('3 rows ·').waitFor()
    await chip(page, 'email').click()
    await page.getByText('3 rows · 2 kept · 1 removed').waitFor()
    expect(await linesOf(page, 'Removed')).toEqual(['▾1 ana@example.com 1', '↳ 3 ana@example.com 3 Restore'])
    await page.getByRole('tab', { name: 'Kept' }).click()
    expect(await downloaded(page, 'Download kept.csv')).toBe('id,email\n1,ana@example.com\n2,"ben, jr"')
    await close()
  })

  test('CSV rows, fuzzy, with a chosen threshold', async () => {
    const { page, close } = await open()
    await chooseMode(page, 'CSV rows')
    await editor(page).fill('name\nJohn Smyth\n"Smith, John"\nMary Jones')
    await page.getByLabel('Fuzzy').check()
    await page.getByText('3 rows · 2 kept · 1 removed').waitFor()
    expect(await linesOf(page, 'Removed')).toEqual(['▾1 John Smyth', '↳ 2 0.90 Smith, John Restore'])
    await chip(page, 'Strict').click()
    await page.getByText('3 rows · 3 kept · 0 removed').waitFor()
    await close()
  })

  test('JSON, keeping all digits', async () => {
    const { page, close } = await open()
    await chooseMode(page, 'JSON')
    await editor(page).fill('[{"id":9007199254740993},{"id":9007199254740992},{"id": 9007199254740993}]')
    await page.getByText('3 items · 2 kept · 1 removed').waitFor()
    expect(await downloaded(page, 'Download kept.json')).toBe('[{"id":9007199254740993},{"id":9007199254740992}]')
    await page.getByLabel('Compare by path').fill('nothing.here')
    await page.getByText('3 items · 1 kept · 2 removed').waitFor()
    await close()
  })

  test.each([
    { name: 'incomplete JSON', mode: 'JSON', text: '[1, 2', message: /This is not JSON/ },
    { name: 'text after an array', mode: 'JSON', text: '[1]\n]', message: /This is not JSON: line 2, column 1/ },
  ])('$name gets a clear error message', async ({ mode, text, message }) => {
    const { page, close } = await open()
    await chooseMode(page, mode)
    await editor(page).fill(text)
    await page.getByRole('alert').filter({ hasText: message }).waitFor()
    await close()
  })

  test('a file that is not UTF-8 is compared by bytes, as on the command line, with a note', async () => {
    const { page, close } = await open()
    const name = [0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72, 0x0d, 0x0a]
    const latin1 = Buffer.from([...name, 0x4d, 0xfb, 0x0a, ...name])
    await openFile(page, folder(), 'latin1.txt', latin1)
    await page.getByText('3 lines · 2 kept · 1 removed').waitFor()
    await page.getByText('This file is not UTF-8').waitFor()
    await page.getByText('This list is not UTF-8, and a request has to be.').waitFor()
    await page.getByRole('button', { name: 'Copy: what was kept' }).click()
    await page.getByRole('status').filter({ hasText: 'Failed: what was kept' }).waitFor()
    expect(await downloadedBytes(page, 'Download kept.txt')).toEqual(latin1.subarray(0, name.length + 3))
    await close()
  })

  test('what is kept is copied exactly, including a byte order mark that is data', async () => {
    const { page, close } = await open()
    await editor(page).fill('\ufeffa\na\n\ufeffa')
    await page.getByText('3 lines · 2 kept').waitFor()
    await page.getByRole('button', { name: 'Copy: what was kept' }).click()
    await page.getByRole('status').filter({ hasText: 'Copied: what was kept' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('\ufeffa\na')
    await close()
  })

  test('kept rows are saved byte for byte, including line breaks, quotes and byte order mark', async () => {
    const { page, close } = await open()
    const text = '\ufeff"id";n\r\n1;"a"\r\n"1";a\r\n2;x\n'
    await openFile(page, folder(), 'export.csv', text)
    await page.getByRole('button', { name: 'Read it as CSV rows' }).click()
    await page.getByText('3 rows · 2 kept · 1 removed').waitFor()
    expect(await downloaded(page, 'Download kept.csv')).toBe('\ufeff"id";n\r\n1;"a"\r\n2;x\n')
    await page.getByRole('tab', { name: 'Removed' }).click()
    expect(await downloaded(page, 'Download removed.csv')).toBe('position;survivor;"id";n\n2;1;"1";a\n')
    await close()
  })
})

describe('nothing is uploaded', () => {
  test('the page sends no requests, from the first character to the download', async () => {
    const { page, requests, problems, close } = await open()
    await status(page).getByText('7 lines ·').waitFor()
    requests.length = 0
    await editor(page).fill('secret\nsecret\nother')
    await page.getByText('3 lines · 2 kept · 1 removed').waitFor()
    await downloaded(page, 'Download kept.txt')
    await chooseMode(page, 'CSV rows')
    await editor(page).fill('name\nsecret\nsecret')
    await page.getByText('2 rows · 1 kept · 1 removed').waitFor()
    // A blob URL is an address inside the page.
    expect(requests.filter((request) => !request.includes(' blob:'))).toEqual([])
    expect(problems).toEqual([])
    await close()
  })
})

test('what is entered while the script is still loading is kept', async () => {
  const { page, close } = await openPage('/about')
  let hasEntered = false
  await page.route(/assets\/.*\.js$/, async (route) => {
    await until('something was entered', () => hasEntered)
    await route.continue()
  })
  await page.goto(server().baseUrl, { waitUntil: 'commit' })
  await editor(page).fill('early\nEarly\nlate')
  await page.getByLabel('Ignore case').check()
  hasEntered = true
  await status(page).getByText('3 lines · 2 kept · 1 removed').waitFor()
  expect(await editor(page).inputValue()).toBe('early\nEarly\nlate')
  expect(await page.getByLabel('Ignore case').isChecked()).toBe(true)
  await close()
})

test('if a part of the page could not be loaded, it says so', async () => {
  const { page, close } = await openPage('/about')
  await page.route(/assets\/worker/, (route) => route.abort())
  await page.goto(server().baseUrl)
  await page.getByRole('alert').filter({ hasText: 'A part of this page could not be loaded.' }).waitFor()
  await close()
})

describe('large files', () => {
  test('50 MB can be counted, scrolled to the end, and saved, with only a few entries in the page at a time', async () => {
    const { page, close } = await open()
    const lines = Array.from({ length: 2_000_000 }, (_, i) => `person${i % 1_500_000}@mail.example`)
    await openFile(page, folder(), 'large.txt', lines.join('\n'))
    await page.getByText('2,000,000 lines · 1,500,000 kept · 500,000 removed').waitFor()
    await page.getByRole('tab', { name: 'Removed' }).click()
    await page.getByRole('grid', { name: 'Removed: 500,000 lines' }).waitFor()
    await page.locator('.virtual').evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await page.getByText('person499999@mail.example').first().waitFor()
    expect(await page.locator('.entries tbody tr').count()).toBeLessThan(60)
    await page.getByText('more than one request may have').waitFor()
    await page.getByRole('tab', { name: 'Kept' }).click()
    expect((await downloaded(page, 'Download kept.txt')).split('\n')).toHaveLength(1_500_000)
    await close()
  })

  test('a long run can be cancelled and repeated', async () => {
    const { page, close } = await open()
    const rows = Array.from({ length: 60_000 }, (_, i) => (i * 2_654_435_761).toString(36).repeat(20))
    await openFile(page, folder(), 'slow.csv', `name\n${rows.join('\n')}`)
    await page.getByRole('button', { name: 'Read it as CSV rows' }).click()
    await page.getByText('60,000 rows ·').waitFor()
    await page.getByLabel('Fuzzy').check()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled').waitFor()
    await page.getByLabel('Fuzzy').uncheck()
    await page.getByText('60,000 rows ·').waitFor()
    await close()
  })
})

describe('the matching curl command', () => {
  test.each([
    { mode: 'Lines', text: `it's "quoted"\n$HOME \`id\` \\n\nit's "quoted"`, kept: 2 },
    { mode: 'JSON', text: `["it's", "it's", 12345678901234567890, 12345678901234567891]`, kept: 3 },
  ])('$mode: in a real shell, prints the same result as the page', async ({ mode, text, kept }) => {
    const { page, close } = await open()
    await chooseMode(page, mode)
    await editor(page).fill(text)
    await status(page).getByText(`${kept} kept`).waitFor()
    const command = await textContentOf(page.locator('.try .code pre'))
    const { stdout } = await run('bash', ['-c', command])
    expect(JSON.parse(stdout)).toMatchObject({ kept })
    await close()
  })

  test('a larger list goes into a file for download', async () => {
    const { page, close } = await open()
    await editor(page).fill(Array.from({ length: 400 }, (_, i) => `line ${i % 300}`).join('\n'))
    await page.getByLabel('Ignore case').check()
    await page.getByText('400 lines · 300 kept').waitFor()
    expect(await textContentOf(page.locator('.try .code pre'))).toContain('--data-binary @request.json')
    const body = JSON.parse(await downloaded(page, 'Download request.json'))
    expect(body).toMatchObject({ mode: 'lines', options: { ignoreCase: true } })
    expect(body.data.split('\n')).toHaveLength(400)
    await close()
  })
})
