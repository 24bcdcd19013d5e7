import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { startBrowserTests } from '../support/browser.ts'
import { expectAccessible, expectContrast, expectNoSidewaysScroll } from '../support/pages.ts'
import { chip, chooseMode, editor, status } from '../support/try-page.ts'

const { open } = startBrowserTests()

const WIDTHS = [
  { device: 'desktop', width: 1_280 },
  { device: 'phone', width: 390 },
]

/** Functions that bring the page into a state and resolve when it is idle. */
const STATES: Record<string, (page: Page) => Promise<void>> = {
  'removed lines': async (page) => {
    await page.getByRole('tab', { name: 'Removed' }).click()
    await page.getByText('ana@example.com').first().waitFor()
  },
  'fuzzy pairs, least similar first, one of them kept': async (page) => {
    await chooseMode(page, 'CSV rows')
    await chip(page, 'name').click()
    await page.getByLabel('Fuzzy').check()
    await status(page).getByText('3 removed').waitFor()
    await page.getByRole('tab', { name: 'Removed' }).click()
    await page.getByText('Least similar first').click()
    await page
      .getByRole('button', { name: /^Restore/ })
      .first()
      .click()
    await status(page).getByText('1 restored').waitFor()
  },
  'an invalid threshold': async (page) => {
    await chooseMode(page, 'CSV rows')
    await page.getByLabel('Fuzzy').check()
    await page.getByRole('textbox', { name: 'Threshold' }).fill('2')
    await page.getByText('Not a number').waitFor()
  },
  'a suggestion': async (page) => {
    await editor(page).fill('id;name;city\n1;a;x\n1;a;x')
    await page.getByText('This looks separated by semicolons').waitFor()
  },
  'a path that no item has': async (page) => {
    await chooseMode(page, 'JSON')
    await page.getByLabel('Compare by path').fill('$.id')
    await page.getByText('No item has').waitFor()
  },
  'invalid JSON': async (page) => {
    await chooseMode(page, 'JSON')
    await editor(page).fill('[1, 2')
    await page.getByText('This is not JSON').waitFor()
  },
  'an example in Python': async (page) => {
    await page.getByRole('tab', { name: 'Python' }).click()
    await page.locator('.try .code pre', { hasText: 'urllib' }).waitFor()
  },
  'an empty list': async (page) => {
    await page.getByRole('button', { name: 'Clear' }).click()
    await status(page).getByText('1 line ·').waitFor()
    await page.getByRole('tab', { name: 'Removed' }).click()
    await page.getByText('Nothing was removed').waitFor()
  },
}

describe.each(WIDTHS)('$device', ({ width }) => {
  test.each(Object.keys(STATES))('%s: no accessibility violations, no horizontal scrolling', async (state) => {
    const { page, close } = await open('/', { viewport: { width, height: 900 }, reducedMotion: 'reduce' })
    await STATES[state]?.(page)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    // Colours do not depend on the width.
    if (width === WIDTHS[0]?.width) {
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectContrast(page)
    }
    await close()
  })
})
