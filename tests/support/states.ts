import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type Look, look } from './browser.ts'
import { claimToken, newPerson, type Person, stranger, textOf, visit } from './person.ts'
import type { RunningServer } from './server.ts'

/*
 * Every state of the pages that a user may see: photographed by `npm run screenshots`, checked for accessibility by a
 * test.
 */

/** Who views a page. */
interface Readers {
  /** With keys and calls of every kind. */
  readonly busy: Person
  /** With an account and nothing else. */
  readonly fresh: Person
}

export interface State {
  readonly name: string
  readonly path: string
  readonly reader?: keyof Readers
  /** Leads from the opened page to the state. */
  readonly lead?: (page: Page) => Promise<unknown>
}

const PAIRS =
  'name,city\nAnna Maria Berg,Graz\nAnna Maria Burg,Graz\n"Berg, Anna Maria",Linz\nBen Moor,Graz\nBen Moore,Wien'

const chooseMode = (page: Page, title: string) => page.getByRole('tab', { name: title, exact: true }).click()
const type = (page: Page, text: string) => page.locator('.try-editor').fill(text)
const counted = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()
const toTry = (page: Page) => page.locator('#try').scrollIntoViewIfNeeded()
const openDialog = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

export const STATES: readonly State[] = [
  { name: 'home', path: '/' },
  {
    name: 'try-lines',
    path: '/#try',
    async lead(page) {
      await page.getByLabel('Ignore case').check()
      await page.getByRole('tab', { name: 'Removed' }).click()
      await page.locator('.line-removed, .card-removed').first().waitFor()
    },
  },
  {
    name: 'try-rows',
    path: '/#try',
    async lead(page) {
      await chooseMode(page, 'CSV rows')
      await type(page, PAIRS)
      await counted(page, /5 rows in/)
    },
  },
  {
    name: 'try-fuzzy',
    path: '/#try',
    async lead(page) {
      await chooseMode(page, 'CSV rows')
      await type(page, PAIRS)
      await page.getByLabel('Fuzzy').check()
      await page.locator('.try-columns .chip', { hasText: 'name' }).click()
      await counted(page, /5 rows in · 3 kept · 2 removed/)
      await page.getByRole('tab', { name: 'Removed' }).click()
      await toTry(page)
    },
  },
  {
    name: 'try-json',
    path: '/#try',
    async lead(page) {
      await chooseMode(page, 'JSON')
      await page.getByLabel('Compare by path').fill('nothing.here')
      await counted(page, /No item has/i)
    },
  },
  { name: 'reference', path: '/api' },
  { name: 'reference-rows', path: '/api#rows' },
  { name: 'reference-errors', path: '/api#errors' },
  {
    name: 'reference-search',
    path: '/api',
    lead: (page) => page.getByRole('searchbox').fill('threshold'),
  },
  {
    name: 'reference-sent',
    path: '/api',
    async lead(page) {
      const form = page.getByRole('form', { name: 'Send a request' }).first()
      await form.getByRole('button', { name: 'Send' }).click()
      await form.getByText('200 OK').waitFor()
    },
  },
  { name: 'recipes', path: '/recipes' },
  { name: 'about', path: '/about' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'sign-in', path: '/app/keys', lead: (page) => page.getByText('Forgot your password?').click() },
  {
    name: 'sign-up',
    path: '/app/keys#new',
    async lead(page) {
      await page.getByLabel('Email').fill('nobody')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByText('Enter an email address.').waitFor()
    },
  },
  {
    name: 'first-key',
    path: '/app/keys#new',
    async lead(page) {
      await page.getByLabel('Email').fill(stranger().email)
      await page.getByLabel('Password', { exact: true }).fill('a long enough password')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByText('is ready').waitFor()
    },
  },
  { name: 'keys-empty', path: '/app/keys', reader: 'fresh', lead: (page) => page.getByText('No active key').waitFor() },
  {
    name: 'keys',
    path: '/app/keys',
    reader: 'busy',
    lead: (page) => page.getByRole('table', { name: /^Calls/ }).waitFor(),
  },
  {
    name: 'keys-calls',
    path: '/app/keys?status=refused',
    reader: 'busy',
    async lead(page) {
      await page.getByText('What 400, 413 and 429 mean').click()
      await page.locator('.keys-calls').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'keys-plans',
    path: '/app/keys',
    reader: 'busy',
    async lead(page) {
      await page.getByRole('table', { name: /^Calls/ }).waitFor()
      await page.locator('.keys-plans').scrollIntoViewIfNeeded()
    },
  },
  { name: 'keys-new', path: '/app/keys', reader: 'busy', lead: openDialog('New key') },
  { name: 'keys-revoke', path: '/app/keys', reader: 'busy', lead: openDialog(/^Revoke /) },
  { name: 'account-password', path: '/app/keys', reader: 'busy', lead: openDialog('Change password') },
  { name: 'account-everywhere', path: '/app/keys', reader: 'busy', lead: openDialog('Sign out everywhere') },
  { name: 'account-delete', path: '/app/keys', reader: 'busy', lead: openDialog('Delete account') },
]

/** The users that the states need, with keys and calls. */
export async function readersOf(server: RunningServer): Promise<Readers> {
  return { busy: await busyPerson(server), fresh: await newPerson(server) }
}

/** A page in a given state. */
export async function lookAt(
  { browser, server, readers }: { browser: Browser; server: RunningServer; readers: Readers },
  state: State,
  options: BrowserContextOptions,
): Promise<Look> {
  const session = state.reader ? { storageState: sessionOf(readers[state.reader], server) } : {}
  const seen = await look(browser, server.baseUrl + state.path, { ...session, ...options })
  await state.lead?.(seen.page)
  return seen
}

/** The cookie of a signed-in user, in the form that a browser keeps. */
export function sessionOf(
  { cookie }: Person,
  server: RunningServer,
): NonNullable<BrowserContextOptions['storageState']> {
  const [name = '', value = ''] = cookie.split(/=(.*)/s)
  const kept = { name, value, domain: new URL(server.baseUrl).hostname, path: '/app', expires: -1 }
  return { cookies: [{ ...kept, httpOnly: true, secure: false, sameSite: 'Strict' }], origins: [] }
}

/** A user on the Starter plan with two keys and calls in every mode, a few of them refused. */
async function busyPerson(server: RunningServer): Promise<Person> {
  const person = await newPerson(server)
  await server.operator.setPlan(person.email, 'starter')
  const tokens: string[] = []
  for (const name of ['nightly import', 'laptop']) {
    const made = await visit(server, '/app/account/keys', { cookie: person.cookie, body: { name } })
    tokens.push(textOf(made.json, 'token'))
  }
  const list = (rows: number, distinct: number) => Array.from({ length: rows }, (_, i) => `row ${i % distinct}`)
  for (const [at, rows] of [9_400, 3_100, 640, 2_200].entries()) {
    const token = tokens[at % 2] ?? ''
    await server.call({ token, body: { mode: 'lines', data: list(rows, rows / 2).join('\n') } })
    await server.call({ token, body: { mode: 'rows', data: list(rows / 2, rows / 3).join('\n') } })
    await server.call({ token, body: { mode: 'json', data: list(rows / 4, rows / 5) } })
    await server.call({ token, body: { mode: 'words', data: '' } })
  }
  await server.call({ token: tokens[0] ?? '', body: { mode: 'lines', data: list(50_001, 9).join('\n') } })
  return person
}

/** The state for a one-time link; every view uses up a link of its own. */
export async function claimState(server: RunningServer): Promise<State> {
  const { email } = stranger()
  await server.key(email, 'starter')
  return { name: 'claim', path: `/app/keys#claim=${await claimToken(server, email)}` }
}
