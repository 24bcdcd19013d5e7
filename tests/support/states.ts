import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type OpenedPage, openPage } from './browser.ts'
import { claimToken, newIdentity, newPerson, type Person, textOf, visit } from './person.ts'
import type { RunningServer } from './server.ts'

/*
 * All states of the pages that a user may see: `npm run screenshots` takes pictures of them, and a test checks their
 * accessibility.
 */

/** Users whose pages are shown. */
interface Users {
  /** With keys and calls of every kind. */
  readonly busy: Person
  /** With an account and nothing else. */
  readonly fresh: Person
}

export interface State {
  readonly name: string
  readonly path: string
  readonly user?: keyof Users
  /** Brings the opened page into the state. */
  readonly arrange?: (page: Page) => Promise<unknown>
}

const PAIRS =
  'name,city\nAnna Maria Berg,Graz\nAnna Maria Burg,Graz\n"Berg, Anna Maria",Linz\nBen Moor,Graz\nBen Moore,Wien'

const chooseMode = (page: Page, title: string) => page.getByRole('tab', { name: title, exact: true }).click()
const type = (page: Page, text: string) => page.locator('.try-editor').fill(text)
const waitForText = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const scrollToTry = (page: Page) => page.locator('#try').scrollIntoViewIfNeeded()
const openDialog = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

export const STATES: readonly State[] = [
  { name: 'home', path: '/' },
  {
    name: 'try-lines',
    path: '/#try',
    async arrange(page) {
      await page.getByLabel('Ignore case').check()
      await page.getByRole('tab', { name: 'Removed' }).click()
      await page.locator('.line-removed, .card-removed').first().waitFor()
    },
  },
  {
    name: 'try-rows',
    path: '/#try',
    async arrange(page) {
      await chooseMode(page, 'CSV rows')
      await type(page, PAIRS)
      await waitForText(page, /5 rows ·/)
    },
  },
  {
    name: 'try-fuzzy',
    path: '/#try',
    async arrange(page) {
      await chooseMode(page, 'CSV rows')
      await type(page, PAIRS)
      await page.getByLabel('Fuzzy').check()
      await page.locator('.try-columns .chip', { hasText: 'name' }).click()
      await waitForText(page, /5 rows · 3 kept · 2 removed/)
      await page.getByRole('tab', { name: 'Removed' }).click()
      await scrollToTry(page)
    },
  },
  {
    name: 'try-json',
    path: '/#try',
    async arrange(page) {
      await chooseMode(page, 'JSON')
      await page.getByLabel('Compare by path').fill('nothing.here')
      await waitForText(page, /No item has/i)
    },
  },
  { name: 'reference', path: '/api' },
  { name: 'reference-rows', path: '/api#rows' },
  { name: 'reference-errors', path: '/api#errors' },
  {
    name: 'reference-search',
    path: '/api',
    arrange: (page) => page.getByRole('searchbox').fill('threshold'),
  },
  {
    name: 'reference-sent',
    path: '/api',
    async arrange(page) {
      const form = page.getByRole('form', { name: 'Send a request' }).first()
      await form.getByRole('button', { name: 'Send' }).click()
      await form.getByText('200 OK').waitFor()
    },
  },
  { name: 'recipes', path: '/recipes' },
  { name: 'about', path: '/about' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'sign-in', path: '/app/keys', arrange: (page) => page.getByText('Forgot your password?').click() },
  {
    name: 'sign-up',
    path: '/app/keys#new',
    async arrange(page) {
      await page.getByLabel('Email').fill('nobody')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByText('Enter an email address.').waitFor()
    },
  },
  {
    name: 'first-key',
    path: '/app/keys#new',
    async arrange(page) {
      await page.getByLabel('Email').fill(newIdentity().email)
      await page.getByLabel('Password', { exact: true }).fill('a long enough password')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByText('is ready').waitFor()
    },
  },
  {
    name: 'keys-empty',
    path: '/app/keys',
    user: 'fresh',
    arrange: (page) => page.getByText('No active key').waitFor(),
  },
  {
    name: 'keys',
    path: '/app/keys',
    user: 'busy',
    arrange: (page) => page.getByRole('table', { name: /^Calls/ }).waitFor(),
  },
  {
    name: 'keys-calls',
    path: '/app/keys?status=refused',
    user: 'busy',
    async arrange(page) {
      await page.getByText('What the statuses mean').click()
      await page.locator('.keys-calls').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'keys-plans',
    path: '/app/keys',
    user: 'busy',
    async arrange(page) {
      await page.getByRole('table', { name: /^Calls/ }).waitFor()
      await page.locator('.keys-plans').scrollIntoViewIfNeeded()
    },
  },
  { name: 'keys-new', path: '/app/keys', user: 'busy', arrange: openDialog('New key') },
  { name: 'keys-revoke', path: '/app/keys', user: 'busy', arrange: openDialog(/^Revoke /) },
  { name: 'account-password', path: '/app/keys', user: 'busy', arrange: openDialog('Change password') },
  { name: 'account-everywhere', path: '/app/keys', user: 'busy', arrange: openDialog('Sign out everywhere') },
  { name: 'account-delete', path: '/app/keys', user: 'busy', arrange: openDialog('Delete account') },
]

/** The users that the states need, with keys and calls. */
export async function usersOf(server: RunningServer): Promise<Users> {
  return { busy: await busyPerson(server), fresh: await newPerson(server) }
}

/** Opens a page in the given state. */
export async function openState(
  { browser, server, users }: { browser: Browser; server: RunningServer; users: Users },
  state: State,
  options: BrowserContextOptions,
): Promise<OpenedPage> {
  const session = state.user ? { storageState: sessionOf(users[state.user], server) } : {}
  const opened = await openPage(browser, server.baseUrl + state.path, { ...session, ...options })
  await state.arrange?.(opened.page)
  return opened
}

/** The cookie of a signed-in user, as a browser's storage state. */
export function sessionOf(
  { cookie }: Person,
  server: RunningServer,
): Exclude<BrowserContextOptions['storageState'], string | undefined> {
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
    const created = await visit(server, '/app/account/keys', { cookie: person.cookie, body: { name } })
    tokens.push(textOf(created.json, 'token'))
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

/** The state for a one-time link; each view needs a new link. */
export async function claimState(server: RunningServer): Promise<State> {
  const { email } = newIdentity()
  await server.key(email, 'starter')
  return { name: 'claim', path: `/app/keys#claim=${await claimToken(server, email)}` }
}
