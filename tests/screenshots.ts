/*
 * Makes the pictures of the README (`npm run screenshots`): the pages of a real server, with calls that were made.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { type Look, launchChromium, look } from './support/browser.ts'
import { newPerson, type Person } from './support/person.ts'
import { REPOSITORY, type RunningServer, removeFolder, startServer } from './support/server.ts'

const IMAGES = join(REPOSITORY, 'docs/images')
const WIDE = { viewport: { width: 1_280, height: 860 }, deviceScaleFactor: 2, reducedMotion: 'reduce' } as const
const SCHEMES = ['light', 'dark'] as const

const server = await startServer()
const browser = await launchChromium()
try {
  await mkdir(IMAGES, { recursive: true })
  const person = await someoneWithCalls(server)
  for (const colorScheme of SCHEMES) {
    await picture(`try-it-${colorScheme}`, await tryIt(colorScheme))
    await picture(`keys-${colorScheme}`, await keys(colorScheme, person))
    await picture(`reference-${colorScheme}`, await open('/api#dedupe', { colorScheme }))
  }
} finally {
  await browser.close()
  await server.stop()
  await removeFolder(server.folder)
}

/** A page at its second sight: fonts that came too late for the first one are used from then on. */
async function open(path: string, options: BrowserContextOptions): Promise<Look> {
  const seen = await look(browser, server.baseUrl + path, { ...WIDE, ...options })
  await seen.page.reload({ waitUntil: 'networkidle' })
  return seen
}

async function picture(name: string, { page, close }: Look): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: join(IMAGES, `${name}.png`) })
  await close()
}

async function tryIt(colorScheme: 'light' | 'dark'): Promise<Look> {
  const seen = await open('/', { colorScheme })
  const { page } = seen
  await page.getByRole('tab', { name: 'CSV rows' }).click()
  await page.getByLabel('Fuzzy').check()
  await page.locator('.try-columns .chip', { hasText: 'name' }).click()
  await page.getByText('6 rows in · 3 kept · 3 removed').waitFor()
  await page.getByRole('tab', { name: 'Removed' }).click()
  await page.locator('.line-removed').first().waitFor()
  await page.evaluate(() => {
    location.hash = '#try'
  })
  return seen
}

async function keys(colorScheme: 'light' | 'dark', { cookie }: Person): Promise<Look> {
  const [name = '', value = ''] = cookie.split(/=(.*)/s)
  const { hostname } = new URL(server.baseUrl)
  const session = {
    name,
    value,
    domain: hostname,
    path: '/app',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Strict' as const,
  }
  return open('/app/keys', { colorScheme, storageState: { cookies: [session], origins: [] } })
}

/** An account with two keys and calls of every mode, a few of them refused. */
async function someoneWithCalls({ cli, key, call }: RunningServer): Promise<Person> {
  const person = await newPerson(server)
  await cli('accounts', 'set-plan', person.email, 'starter')
  const tokens = [await key(person.email, 'starter'), await key(person.email, 'starter')].map(({ token }) => token)
  const list = (rows: number, distinct: number) => Array.from({ length: rows }, (_, i) => `row ${i % distinct}`)
  for (const [at, rows] of [9_400, 3_100, 640, 2_200].entries()) {
    const token = tokens[at % 2] ?? ''
    await call({ token, body: { mode: 'lines', data: list(rows, rows / 2).join('\n') } })
    await call({ token, body: { mode: 'rows', data: list(rows / 2, rows / 3).join('\n') } })
    await call({ token, body: { mode: 'json', data: list(rows / 4, rows / 5) } })
    await call({ token, body: { mode: 'words', data: '' } })
  }
  return person
}
