import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startBrowserTests, textContentOf } from '../support/browser.ts'
import { expectAccessible } from '../support/pages.ts'
import { chip, chooseMode, downloaded, editor, linesOf, openFile, status } from '../support/try-page.ts'

const { server, open } = startBrowserTests()

describe('the threshold', () => {
  const threshold = (page: Page) => page.getByRole('textbox', { name: 'Threshold' })

  test('typed text stays, takes effect if it is valid, and is marked if it is not', async () => {
    const { page, close } = await open('/')
    await chooseMode(page, 'CSV rows')
    await page.getByLabel('Fuzzy').check()
    await threshold(page).fill('')
    await threshold(page).pressSequentially('0.87')
    expect(await threshold(page).inputValue()).toBe('0.87')
    await page.locator('.try .code pre', { hasText: '"threshold":0.87' }).waitFor()

    await threshold(page).fill('0.3')
    await page.getByText('Not a number from 0.5 to 1; 0.87 is still in effect.').waitFor()
    expect(await threshold(page).getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
    expect(await textContentOf(page.locator('.try .code pre'))).toContain('"threshold":0.87')

    await chip(page, 'Loose').click()
    expect(await threshold(page).inputValue()).toBe('0.85')
    await page.locator('.try .code pre', { hasText: '"threshold":0.85' }).waitFor()
    await close()
  })
})

describe('a warning about a key without values suggests existing keys', () => {
  test('a path that no item has', async () => {
    const { page, close } = await open('/')
    await chooseMode(page, 'JSON')
    await editor(page).fill('[{"user":{"id":1}},{"user":{"id":2}},{"user":{"id":1}}]')
    await page.getByLabel('Compare by path').fill('.id')
    await page.getByText('No item has “.id”: all but the first were removed.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'user.id' }).click()
    await page.getByText('3 items · 2 kept · 1 removed').waitFor()
    expect(await page.getByLabel('Compare by path').inputValue()).toBe('user.id')
    expect(await page.getByText('No item has').count()).toBe(0)
    await close()
  })

  test('a column that no longer exists is named, and another one can be chosen', async () => {
    const { page, close } = await open('/')
    await chooseMode(page, 'CSV rows')
    await chip(page, 'phone').click()
    await editor(page).fill('id,name\n1,a\n2,b')
    await page.getByText('No row has “Column 2”: all but the first were removed.').waitFor()
    await page.locator('.try-choices').getByRole('button', { name: 'name' }).click()
    await page.getByText('2 rows · 2 kept · 0 removed').waitFor()
    await close()
  })

  test('empty cells of the key are counted', async () => {
    const { page, close } = await open('/')
    await chooseMode(page, 'CSV rows')
    await editor(page).fill('n,email\nann,\nbob,\ncy,c@example.com')
    await chip(page, 'email').click()
    await page.getByText('2 of 3 rows have nothing in “email”.').waitFor()
    await close()
  })
})

describe('the page suggests the format that a list seems to have', () => {
  test('pasted CSV: nothing changes until the suggestion is accepted', async () => {
    const { page, close } = await open('/')
    await editor(page).fill('id,name,city\n1,a,x\n2,b,y\n1,a,x')
    await page.getByText('This looks like CSV: 3 rows, 3 columns.').waitFor()
    await page.getByText('4 lines · 3 kept').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Read it as CSV rows' }).click()
    await page.getByText('3 rows · 2 kept · 1 removed').waitFor()
    expect(await page.getByText('This looks like').count()).toBe(0)
    await close()
  })

  test('a declined suggestion does not come back', async () => {
    const { page, close } = await open('/')
    await editor(page).fill('id,name,city\n1,a,x\n2,b,y')
    await page.getByRole('button', { name: 'Leave it as it is' }).click()
    await page.getByLabel('Ignore case').check()
    await page.getByText('3 lines ·').waitFor()
    expect(await page.getByText('This looks like').count()).toBe(0)
    await close()
  })

  test('the page reads semicolons, and writes the request with commas', async () => {
    const { page, close } = await open('/')
    await chooseMode(page, 'CSV rows')
    await editor(page).fill('id;name;price\n1;"a;b";1,5\n2;c;2,5\n1;"a;b";1,5')
    await page.getByText('This looks separated by semicolons: 3 rows, 3 columns.').waitFor()
    await page.getByRole('button', { name: 'Read it that way' }).click()
    await page.locator('.entries th', { hasText: /^ *price$/ }).waitFor()
    await page.getByText('3 rows · 2 kept · 1 removed').waitFor()
    expect(await linesOf(page, 'Kept')).toEqual(['1 1 a;b 1,5', '2 2 c 2,5'])
    await page.locator('.try .code pre', { hasText: 'id,name,price' }).waitFor()
    expect(await downloaded(page, 'Download kept.csv')).toBe('id,name,price\n1,a;b,"1,5"\n2,c,"2,5"')
    await close()
  })

  test.each([
    { what: 'pasted JSON Lines', name: undefined, text: '{"id":1}\n{"id":9007199254740993}\n{"id":1}' },
    { what: 'a file in JSON Lines', name: 'events.ndjson', text: '{"id":1}\n{"id":9007199254740993}\n{"id":1}\n' },
  ])('$what', async ({ name, text }) => {
    const { page, close } = await open('/')
    if (name) await openFile(page, server().folder, name, text)
    else await editor(page).fill(text)
    await page.getByText('This looks like JSON Lines: 3 values.').waitFor()
    await page.getByRole('button', { name: 'Read it as JSON' }).click()
    await page.getByText('3 items, one per line · 2 kept · 1 removed').waitFor()
    await page.locator('.try .code pre', { hasText: '"data":[{"id":1},{"id":9007199254740993},{"id":1}]' }).waitFor()
    await close()
  })

  test('a workbook is recognised', async () => {
    const { page, close } = await open('/')
    await openFile(page, server().folder, 'list.xlsx', Buffer.from('PK\x03\x04 and more'))
    await page.getByRole('alert').filter({ hasText: 'save the sheet as CSV UTF-8' }).waitFor()
    await expectAccessible(page)
    await close()
  })
})

test('every mode starts with the defaults of the API and a list with duplicates', async () => {
  const { page, close } = await open('/')
  for (const [mode, removed] of [
    ['Lines', '2 removed'],
    ['CSV rows', '1 removed'],
    ['JSON', '1 removed'],
  ] as const) {
    await chooseMode(page, mode)
    await status(page).getByText(removed).waitFor()
    await page.locator('.try .code pre', { hasText: '/api/dedupe' }).waitFor()
    expect(await textContentOf(page.locator('.try .code pre'))).not.toContain('"options"')
  }
  await close()
})

test('the meaning of a final line break is explained', async () => {
  const { page, close } = await open('/')
  await editor(page).fill('a\nb\na\n')
  await page.getByText('4 lines · 3 kept').waitFor()
  await status(page).getByText('The final line break adds an empty line').waitFor()
  await openFile(page, server().folder, 'list.txt', 'a\nb\na\n')
  await page.getByText('3 lines · 2 kept').waitFor()
  expect(await downloaded(page, 'Download kept.txt')).toBe('a\nb\n')
  await close()
})
