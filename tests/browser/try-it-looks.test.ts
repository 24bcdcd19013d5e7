import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { serveAndLook } from '../support/browser.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../support/pages.ts'
import { chip, chooseMode, editor, status } from '../support/try-page.ts'

const { look } = serveAndLook()

const EYES = [
  { eyes: 'wide and light', width: 1_280, colorScheme: 'light' as const },
  { eyes: 'wide and dark', width: 1_280, colorScheme: 'dark' as const },
  { eyes: 'a phone, light', width: 390, colorScheme: 'light' as const },
  { eyes: 'a phone, dark', width: 390, colorScheme: 'dark' as const },
]

/** Ways to reach a state of the page; each ends when the page is idle. */
const STATES: Record<string, (page: Page) => Promise<void>> = {
  'lines and what was removed': async (page) => {
    await page.getByRole('tab', { name: 'Removed' }).click()
    await page.getByText('ana@example.com').first().waitFor()
  },
  'fuzzy pairs, the least alike first, one taken back': async (page) => {
    await chooseMode(page, 'CSV rows')
    await chip(page, 'name').click()
    await page.getByLabel('Fuzzy').check()
    await status(page).getByText('3 removed').waitFor()
    await page.getByRole('tab', { name: 'Removed' }).click()
    await page.getByText('Least similar first').click()
    await page
      .getByRole('button', { name: /^Keep this one/ })
      .first()
      .click()
    await status(page).getByText('1 kept by you').waitFor()
  },
  'a threshold that is none': async (page) => {
    await chooseMode(page, 'CSV rows')
    await page.getByLabel('Fuzzy').check()
    await page.getByRole('textbox', { name: 'Threshold' }).fill('2')
    await page.getByText('Not a number').waitFor()
  },
  'an offer': async (page) => {
    await editor(page).fill('id;name;city\n1;a;x\n1;a;x')
    await page.getByText('This looks separated by semicolons').waitFor()
  },
  'a path that nothing has': async (page) => {
    await chooseMode(page, 'JSON')
    await page.getByLabel('Compare by path').fill('$.id')
    await page.getByText('No item has').waitFor()
  },
  'what is not JSON': async (page) => {
    await chooseMode(page, 'JSON')
    await editor(page).fill('[1, 2')
    await page.getByText('This is not JSON').waitFor()
  },
  'an example in Python': async (page) => {
    await page.getByRole('tab', { name: 'Python' }).click()
    await page.locator('.try .code pre', { hasText: 'urllib' }).waitFor()
  },
  nothing: async (page) => {
    await page.getByRole('button', { name: 'Clear' }).click()
    await status(page).getByText('1 line in').waitFor()
    await page.getByRole('tab', { name: 'Removed' }).click()
    await page.getByText('Nothing was removed').waitFor()
  },
}

describe.each(EYES)('$eyes', ({ width, colorScheme }) => {
  test.each(Object.keys(STATES))('%s: axe finds nothing, nothing is cut off sideways', async (state) => {
    const { page, close } = await look('/', { viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
    await STATES[state]?.(page)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await close()
  })
})
