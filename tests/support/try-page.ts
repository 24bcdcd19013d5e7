import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'

/** The editor that a list is pasted into. */
export const editor = (page: Page): Locator => page.getByLabel('Your list: type, paste or drop a file')

/** The line that summarises the result. */
export const status = (page: Page): Locator => page.locator('.try-status')

/** Chooses the kind of list by the title of its tab. */
export async function chooseMode(page: Page, title: string): Promise<void> {
  await page.getByRole('tab', { name: title, exact: true }).click()
}

/** The button for a column or preset, by its text. */
export const chip = (page: Page, text: string): Locator =>
  page.locator('.try-options .chip, .try-columns .chip').filter({ hasText: text })

/** The texts of the rows in the table on the right. */
export async function linesOf(page: Page, list: 'Kept' | 'Removed'): Promise<string[]> {
  await page.getByRole('tab', { name: list }).click()
  const lines = page.getByRole('grid', { name: list }).locator('tbody tr')
  await lines.locator('td').nth(1).waitFor()
  return (await lines.allInnerTexts()).map((text) =>
    text
      .replaceAll(/[^\S\n]+/g, ' ')
      .replaceAll('\n', '')
      .trim(),
  )
}

/** Opens a file with this content, as if it were chosen from disk. */
export async function openFile(page: Page, folder: string, name: string, content: string | Uint8Array): Promise<void> {
  const file = join(folder, name)
  await writeFile(file, content)
  await page.getByLabel('File with your list').setInputFiles(file)
}

/** Clicks a button that saves a file; returns the content of the file. */
export async function downloaded(page: Page, button: string): Promise<string> {
  return (await downloadedBytes(page, button)).toString()
}

/** Like `downloaded`, as bytes. */
export async function downloadedBytes(page: Page, button: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return readFile(await download.path())
}
