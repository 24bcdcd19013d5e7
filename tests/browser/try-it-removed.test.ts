import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startBrowserTests, textContentOf } from '../support/browser.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../support/pages.ts'
import { chip, chooseMode, downloaded, editor, linesOf, openFile, status } from '../support/try-page.ts'

const { server, open } = startBrowserTests()

const PHONE = { viewport: { width: 390, height: 844 } }

/** Different spellings of two names; each row also has a unique cell. */
const PEOPLE = `id,name,city
1,John Smyth,Leeds
2,"Smith, John",Leeds
3,Jon Smyth,York
4,Mary Jones,"York
North"
5,mary  jones,Ely`

async function fuzzyPeople(page: Page): Promise<void> {
  await chooseMode(page, 'CSV rows')
  await editor(page).fill(PEOPLE)
  await chip(page, 'name').click()
  await page.getByLabel('Fuzzy').check()
  await status(page).getByText('5 rows · 2 kept · 3 removed').waitFor()
  await page.getByRole('tab', { name: 'Removed' }).click()
  await page.locator('.line-removed').first().waitFor()
}

/** The highlighted parts of a line. */
const marks = (page: Page, line: number) => page.locator('.line-removed').nth(line).locator('mark').allTextContents()

describe('tables', () => {
  test('compared columns come first and are marked; differing characters are highlighted', async () => {
    const { page, close } = await open('/')
    await fuzzyPeople(page)
    expect((await page.locator('.entries th').allTextContents()).map((title) => title.trim())).toEqual([
      '#',
      'similarity',
      'key name',
      'id',
      'city',
      'Restore or remove',
    ])
    expect(await linesOf(page, 'Removed')).toEqual([
      '▾1 John Smyth 1 Leeds',
      '↳ 2 0.90 Smith, John 2 Leeds Restore',
      '↳ 3 0.90 Jon Smyth 3 York Restore',
      '▾4 Mary Jones 4 York↵North',
      '↳ 5 1.00 mary jones 5 Ely Restore',
    ])
    // A missing letter, and another id.
    expect((await marks(page, 1)).slice(0, 2)).toEqual(['', '3'])
    await expectAccessible(page)
    await close()
  })

  test('the value at the path that items are compared by comes first, with all its digits', async () => {
    const { page, close } = await open('/')
    await chooseMode(page, 'JSON')
    const items = [1, 2, 1].map((n, at) => `{"n":${at},"user":{"id":900719925474099${n}}}`)
    await editor(page).fill(`[${items.join(',')}]`)
    await page.getByLabel('Compare by path').fill('user.id')
    await status(page).getByText('3 items · 2 kept · 1 removed').waitFor()
    await page.locator('.entries th', { hasText: 'user.id' }).waitFor()
    expect(await linesOf(page, 'Removed')).toEqual([
      `▾1 9007199254740991 ${items[0]}`,
      `↳ 3 9007199254740991 ${items[2]} Restore`,
    ])
    await close()
  })

  test('a click or the Enter key opens an entry in full, with its line breaks', async () => {
    const { page, close } = await open('/')
    await fuzzyPeople(page)
    await page.locator('.line-removed').nth(2).click()
    const dialog = page.getByRole('dialog', { name: 'Row 5, removed because of row 4' })
    await dialog.waitFor()
    expect(await textContentOf(dialog)).toContain('York↵\nNorth')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Previous' }).click()
    await page.getByRole('dialog', { name: 'Row 4' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })

    await page.getByRole('grid').focus()
    for (const key of ['Home', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('dialog', { name: 'Row 2, removed because of row 1' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.locator('[role=grid]:focus').waitFor()
    await close()
  })

  test('many columns scroll horizontally inside the table, also by keyboard; the page does not', async () => {
    const { page, close } = await open('/')
    const columns = Array.from({ length: 40 }, (_, at) => `a rather long title ${at}`)
    const row = columns.map((_, at) => `cell ${at}`)
    await chooseMode(page, 'CSV rows')
    await editor(page).fill([columns, row, row].map((cells) => cells.join(',')).join('\n'))
    await page.getByText('2 rows · 1 kept').waitFor()
    await expectNoSidewaysScroll(page)
    await page.getByRole('grid').focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForFunction(() => (document.querySelector('.virtual')?.scrollLeft ?? 0) > 0)
    await close()
  })

  test('seven-digit positions fit', async () => {
    const { page, close } = await open('/')
    await openFile(page, server().folder, 'long.txt', `${Array.from({ length: 1_200_000 }, (_, i) => i).join('\n')}\n`)
    await page.getByText('1,200,000 lines ·').waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('End')
    const last = page.locator('.entry-position', { hasText: '1,200,000' })
    await last.waitFor()
    expect(await last.evaluate((cell) => cell.scrollWidth <= cell.clientWidth)).toBe(true)
    await close()
  })

  test('keyboard only: entering a list, choosing mode and options, keeping a removed row', async () => {
    const { page, close } = await open('/')
    const tabTo = async (isThere: () => Promise<boolean>): Promise<void> => {
      for (let steps = 0; steps < 60; steps++) {
        if (await isThere()) return
        await page.keyboard.press('Tab')
      }
      throw new Error('not reached by the Tab key')
    }
    const isFocused = (name: string) => () =>
      page.evaluate((text) => {
        const { activeElement } = document
        return (activeElement?.getAttribute('aria-label') ?? activeElement?.parentElement?.textContent ?? '').includes(
          text,
        )
      }, name)
    await page.getByRole('tab', { name: 'Lines' }).focus()
    await page.keyboard.press('ArrowRight')
    await tabTo(isFocused('First row is a header'))
    await page.keyboard.press('Space')
    await tabTo(isFocused('Your list: type'))
    await page.keyboard.press('Control+A')
    await page.keyboard.type('ann,1\nben,2\nann,1')
    await status(page).getByText('3 rows · 2 kept · 1 removed').waitFor()
    await tabTo(isFocused('Kept'))
    await page.keyboard.press('ArrowRight')
    await page.getByRole('grid', { name: 'Removed' }).waitFor()
    await tabTo(async () => (await page.evaluate(() => document.activeElement?.getAttribute('role'))) === 'grid')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(isFocused('Restore'))
    await page.keyboard.press('Enter')
    await status(page).getByText('3 kept · 0 removed · 1 restored').waitFor()
    await close()
  })
})

describe('while a new list waits to be processed', () => {
  test('the columns of the previous list cannot be chosen', async () => {
    const { page, close } = await open('/')
    await chooseMode(page, 'CSV rows')
    await chip(page, 'phone').waitFor()
    // Stops the clock, so that the pause before the next run does not end.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 3_600_000)
    await editor(page).fill(PEOPLE)
    await page.locator('.try-columns[inert]').waitFor()
    await page.locator('.try-entries[inert]').waitFor()
    await page.clock.resume()
    await chip(page, 'name').click()
    await page.locator('.entries th', { hasText: 'key name' }).waitFor()
    await close()
  })
})

describe('fuzzy pairs', () => {
  test('have a similarity, can be sorted by it, and the page says how many are close to the threshold', async () => {
    const { page, close } = await open('/')
    await fuzzyPeople(page)
    await page.getByRole('img', { name: '2 of 3 pairs are close to the threshold (0.9 to 0.92)' }).waitFor()
    await page.getByRole('button', { name: 'Show these first' }).click()
    const similarities = page.locator('.line-removed td:nth-child(2)')
    await expect.poll(() => similarities.allTextContents()).toEqual(['0.90', '0.90', '1.00'])
    await page.getByText('By survivor').click()
    await page.locator('.line-survivor').nth(1).waitFor()
    await expectAccessible(page)
    await close()
  })

  test('the groups of a survivor can be collapsed and expanded, also by keyboard', async () => {
    const { page, close } = await open('/')
    await fuzzyPeople(page)
    await page.getByRole('button', { name: '2 removed because of 1' }).click()
    await page.locator('tr.line-removed').nth(1).waitFor({ state: 'detached' })
    expect(await page.locator('.line-removed').count()).toBe(1)
    await page.getByRole('button', { name: 'Fold all', exact: true }).click()
    await page.locator('.line-removed').waitFor({ state: 'detached' })
    await page.getByRole('grid').focus()
    for (const key of ['Home', ' ']) await page.keyboard.press(key)
    await page.locator('.line-removed').nth(1).waitFor()
    await close()
  })

  test('keeping a removed row updates counts, lists and files, and can be undone', async () => {
    const { page, close } = await open('/')
    await fuzzyPeople(page)
    await page.getByRole('button', { name: 'Restore: row 3' }).click()
    await status(page).getByText('3 kept · 2 removed · 1 restored').waitFor()
    expect(await downloaded(page, 'Download removed.csv')).toBe(
      'position,survivor,similarity,id,name,city\n2,1,0.9000,2,"Smith, John",Leeds\n5,4,1.0000,5,mary  jones,Ely\n',
    )
    expect(await linesOf(page, 'Kept')).toEqual([
      '1 John Smyth 1 Leeds',
      '3 Jon Smyth 3 York restored',
      '4 Mary Jones 4 York↵North',
    ])
    expect(await downloaded(page, 'Download kept.csv')).toBe(
      'id,name,city\n1,John Smyth,Leeds\n3,Jon Smyth,York\n4,Mary Jones,"York\nNorth"',
    )
    // The row is also kept with another threshold.
    await chip(page, 'Loose').click()
    await status(page).getByText('3 kept · 2 removed · 1 restored').waitFor()
    await page.getByRole('tab', { name: 'Removed' }).click()
    await page.getByRole('button', { name: 'Remove again: row 3' }).click()
    await status(page).getByText('2 kept · 3 removed').waitFor()
    await close()
  })
})

describe('on a phone', () => {
  test('pairs are shown as cards that are neither cut off nor wider than the screen', async () => {
    const { page, close } = await open('/', PHONE)
    await fuzzyPeopleOnPhone(page)
    const card = page.locator('.card-removed').nth(2)
    expect(await textContentOf(card.locator('.card-title'))).toBe('Row 5, removed because of row 4')
    expect(await textContentOf(card)).toContain('York↵\nNorth')
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    const clippedCount = await page
      .locator('.card')
      .evaluateAll((cards) => cards.filter((card) => card.scrollWidth > card.clientWidth).length)
    expect(clippedCount).toBe(0)
    await card.getByRole('button', { name: 'Restore' }).click()
    await status(page).getByText('3 kept · 2 removed · 1 restored').waitFor()
    await page.getByRole('button', { name: '2 removed' }).click()
    await page.locator('.card-removed').nth(1).waitFor({ state: 'detached' })
    await close()
  })

  test('more cards are shown on demand', async () => {
    const { page, close } = await open('/', PHONE)
    await editor(page).fill(Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n'))
    await page.getByText('100 lines · 100 kept').waitFor()
    await page.getByRole('button', { name: 'Show 40 more' }).click()
    await page.locator('.card').nth(79).waitFor()
    await page.getByRole('button', { name: 'Show 20 more' }).click()
    await page.locator('.card').nth(99).waitFor()
    await close()
  })
})

async function fuzzyPeopleOnPhone(page: Page): Promise<void> {
  await chooseMode(page, 'CSV rows')
  await editor(page).fill(PEOPLE)
  await chip(page, 'name').click()
  await page.getByLabel('Fuzzy').check()
  await status(page).getByText('5 rows · 2 kept · 3 removed').waitFor()
  await page.getByRole('tab', { name: 'Removed' }).click()
  await page.locator('.card-removed').first().waitFor()
}
