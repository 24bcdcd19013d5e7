import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type Look, serveAndLook, wordsOf } from '../support/browser.ts'

const run = promisify(execFile)
const { server, look } = serveAndLook()

const open = (): Promise<Look> => look('/', { acceptDownloads: true })
const editor = (page: Page) => page.getByLabel('Your list: type, paste or drop a file')
const status = (page: Page) => page.locator('.try-status')

async function chooseMode(page: Page, title: string): Promise<void> {
  await page.getByRole('tab', { name: title, exact: true }).click()
}

/** What stands in the list at the right, once the page says what came out. */
async function entries(page: Page, list: 'Kept' | 'Removed'): Promise<string[]> {
  await page.getByRole('tab', { name: list }).click()
  const lines = page.locator('.virtual li .entry')
  await lines.first().waitFor()
  return (await lines.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
}

/** Opens a file of this content, as somebody would choose it from the disk. */
async function give(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  const file = join(server().folder, name)
  await writeFile(file, content)
  await page.getByLabel('File with your list').setInputFiles(file)
}

async function downloaded(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return readFile(await download.path(), 'utf8')
}

describe('the result at once, with what was removed and why', () => {
  test('lines', async () => {
    const { page, close } = await open()
    await editor(page).fill('Anna\nBen\n anna\nBEN\n\nCleo')
    await page.getByLabel('Trim lines').check()
    await page.getByLabel('Drop empty lines').check()
    await page.getByText('6 lines in · 3 kept · 2 removed · 1 empty left out').waitFor()
    expect(await entries(page, 'Kept')).toEqual(['1 Anna', '2 Ben', '6 Cleo'])
    expect(await entries(page, 'Removed')).toEqual(['3 anna ↳ same as line 1 Anna', '4 BEN ↳ same as line 2 Ben'])
    expect(await downloaded(page, 'Download removed.csv')).toBe(
      'number,removed,survivor_number,survivor\n3,"anna",1,"Anna"\n4,"BEN",2,"Ben"',
    )
    await page.getByRole('tab', { name: 'Kept' }).click()
    expect(await downloaded(page, 'Download kept.txt')).toBe('Anna\nBen\nCleo')
    await close()
  })

  test('CSV rows, by the columns that are chosen', async () => {
    const { page, close } = await open()
    await chooseMode(page, 'CSV rows')
    await editor(page).fill('id,email\n1,ana@example.com\n2,"ben, jr"\n3,ana@example.com')
    await page.getByText('3 rows in').waitFor()
    await page.locator('.chip', { hasText: 'email' }).click()
    await page.getByText('3 rows in · 2 kept · 1 removed').waitFor()
    expect(await entries(page, 'Removed')).toEqual(['3 3 ana@example.com ↳ same as row 1 1 ana@example.com'])
    await page.getByRole('tab', { name: 'Kept' }).click()
    expect(await downloaded(page, 'Download kept.csv')).toBe('id,email\n1,ana@example.com\n2,"ben, jr"')
    await close()
  })

  test('CSV rows, fuzzy, with the threshold as it is set', async () => {
    const { page, close } = await open()
    await chooseMode(page, 'CSV rows')
    await editor(page).fill('name\nJohn Smyth\n"Smith, John"\nMary Jones')
    await page.getByLabel('Fuzzy').check()
    await page.getByText('3 rows in · 2 kept · 1 removed').waitFor()
    expect(await entries(page, 'Removed')).toEqual(['2 Smith, John ↳ same as row 1 John Smyth'])
    await page.locator('.chip', { hasText: 'Strict' }).click()
    await page.getByText('3 rows in · 3 kept · 0 removed').waitFor()
    await close()
  })

  test('JSON, to the last digit', async () => {
    const { page, close } = await open()
    await chooseMode(page, 'JSON')
    await editor(page).fill('[{"id":9007199254740993},{"id":9007199254740992},{"id": 9007199254740993}]')
    await page.getByText('3 items in · 2 kept · 1 removed').waitFor()
    expect(await downloaded(page, 'Download kept.json')).toBe('[{"id":9007199254740993},{"id":9007199254740992}]')
    await page.getByLabel('Compare by path').fill('nothing.here')
    await page.getByText('3 items in · 1 kept · 2 removed').waitFor()
    await close()
  })

  test.each([
    { name: 'what is not JSON', mode: 'JSON', text: '[1, 2', says: /This is not JSON/ },
    { name: 'JSON that is no array', mode: 'JSON', text: '{"a": 1}', says: /no array/ },
  ])('$name gets a clear word', async ({ mode, text, says }) => {
    const { page, close } = await open()
    await chooseMode(page, mode)
    await editor(page).fill(text)
    await page.getByRole('alert').filter({ hasText: says }).waitFor()
    await close()
  })

  test('a file that is no UTF-8 is refused, and the next one works', async () => {
    const { page, close } = await open()
    await give(page, 'latin1.txt', Buffer.from([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72]))
    await page.getByRole('alert').filter({ hasText: 'UTF-8' }).waitFor()
    await give(page, 'names.csv', 'name\nMüller\nMüller\n')
    await page.getByText('2 rows in · 1 kept · 1 removed').waitFor()
    await close()
  })
})

describe('nothing is uploaded', () => {
  test('no request leaves the page from the first letter to the download', async () => {
    const { page, requests, troubles, close } = await open()
    await page.getByLabel('Ignore case').uncheck()
    await status(page).getByText('7 lines in').waitFor()
    requests.length = 0
    await editor(page).fill('secret\nsecret\nother')
    await page.getByText('3 lines in · 2 kept · 1 removed').waitFor()
    await downloaded(page, 'Download kept.txt')
    await chooseMode(page, 'CSV rows')
    await editor(page).fill('name\nsecret\nsecret')
    await page.getByText('2 rows in · 1 kept · 1 removed').waitFor()
    // A blob is an address inside the page.
    expect(requests.filter((request) => !request.includes(' blob:'))).toEqual([])
    expect(troubles).toEqual([])
    await close()
  })
})

describe('large files', () => {
  test('50 MB: counted, seen by their end, and saved, while the page holds a few entries', async () => {
    const { page, close } = await open()
    const lines = Array.from({ length: 2_000_000 }, (_, i) => `person${i % 1_500_000}@mail.example`)
    await give(page, 'large.txt', lines.join('\n'))
    await page.getByText('2,000,000 lines in · 1,500,000 kept · 500,000 removed').waitFor()
    await page.getByRole('tab', { name: 'Removed' }).click()
    const list = page.getByLabel('Removed: 500,000 lines')
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await page.getByText('person499999@mail.example').first().waitFor()
    expect(await page.locator('.virtual li').count()).toBeLessThan(60)
    await page.getByText('more than one request may hold').waitFor()
    await page.getByRole('tab', { name: 'Kept' }).click()
    expect((await downloaded(page, 'Download kept.txt')).split('\n')).toHaveLength(1_500_000)
    await close()
  })

  test('long work is cancelled and asked again', async () => {
    const { page, close } = await open()
    const rows = Array.from({ length: 60_000 }, (_, i) => (i * 2_654_435_761).toString(36).repeat(20))
    await give(page, 'slow.csv', `name\n${rows.join('\n')}`)
    await page.getByText('60,000 rows in').waitFor()
    await page.getByLabel('Fuzzy').check()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled').waitFor()
    await page.getByLabel('Fuzzy').uncheck()
    await page.getByText('60,000 rows in').waitFor()
    await close()
  })
})

describe('the matching curl command', () => {
  test.each([
    { mode: 'Lines', text: `it's "quoted"\n$HOME \`id\` \\n\nit's "quoted"`, kept: 2 },
    { mode: 'JSON', text: `["it's", "it's", 12345678901234567890, 12345678901234567891]`, kept: 3 },
  ])('$mode: run by a real shell, it gives what the page gave', async ({ mode, text, kept }) => {
    const { page, close } = await open()
    await chooseMode(page, mode)
    await editor(page).fill(text)
    await status(page).getByText(`${kept} kept`).waitFor()
    const command = await wordsOf(page.locator('.try .code pre'))
    const { stdout } = await run('bash', ['-c', command])
    expect(JSON.parse(stdout)).toMatchObject({ kept })
    await close()
  })

  test('a larger list goes into a file to download', async () => {
    const { page, close } = await open()
    await editor(page).fill(Array.from({ length: 400 }, (_, i) => `line ${i % 300}`).join('\n'))
    await page.getByText('400 lines in · 300 kept').waitFor()
    expect(await wordsOf(page.locator('.try .code pre'))).toContain('--data-binary @request.json')
    const body = JSON.parse(await downloaded(page, 'Download request.json'))
    expect(body).toMatchObject({ mode: 'lines', options: { ignoreCase: true } })
    expect(body.data.split('\n')).toHaveLength(400)
    await close()
  })
})
