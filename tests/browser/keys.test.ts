import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { startBrowserTests, textContentOf } from '../support/browser.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  layoutShift,
  type MonitoredPage,
  monitoredPage,
} from '../support/pages.ts'
import {
  claim,
  claimToken,
  newIdentity,
  newPerson,
  PASSWORD,
  type Person,
  sessionEmail,
  signUp,
  textOf,
  visit,
} from '../support/person.ts'
import { startServer } from '../support/server.ts'
import { sessionOf } from '../support/states.ts'

const { server, browser } = startBrowserTests({ env: { CONTACT: 'plans@example.com' } })

type Options = Parameters<typeof monitoredPage>[2]

function open(options: Options = {}, at = server()): Promise<MonitoredPage> {
  return monitoredPage(browser(), at.baseUrl, options)
}

/** Runs a test body on the page `/app/keys`, and checks that the page follows its content security policy. */
async function onPage(body: (page: Page) => Promise<void>, options: Options = {}, at = server()): Promise<void> {
  const { page, problems, close } = await open(options, at)
  await page.goto(`${at.baseUrl}/app/keys`)
  await body(page)
  expect(problems).toEqual([])
  await close()
}

/** The same for a signed-in user. */
function asPerson(person: Person, body: (page: Page) => Promise<void>, options: Options = {}): Promise<void> {
  return onPage(body, { storageState: sessionOf(person, server()), ...options })
}

async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create key' }).click()
  return textContentOf(page.locator('.token code'))
}

/** Opens a dialog, fills in a name if it asks for one, and confirms it. */
async function confirm(page: Page, opener: string, confirmation = opener): Promise<void> {
  await page.getByRole('button', { name: opener }).click()
  const dialog = page.getByRole('dialog')
  if (await dialog.getByLabel('Name').isVisible()) await dialog.getByLabel('Name').fill('another')
  await dialog.getByRole('button', { name: confirmation }).click()
}

/** Runs a command that the page shows, as a user would. */
async function run(command: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replace(/^curl /, 'curl -s ')])
  return JSON.parse(stdout)
}

/** A user with a key and calls in every mode. */
async function busyPerson(): Promise<Person> {
  const person = await newPerson(server())
  const created = await visit(server(), '/app/account/keys', {
    cookie: person.cookie,
    body: { name: 'nightly import' },
  })
  const token = textOf(created.json, 'token')
  for (const body of [
    { mode: 'lines', data: 'a\na\nb' },
    { mode: 'rows', data: 'n\n1\n1\n2', options: {} },
    { mode: 'json', data: [1, 1, 2, 3] },
    { mode: 'none' },
  ])
    await server().call({ token, body })
  return person
}

describe('from creating an account to revoking a key', () => {
  test('"Get a key" leads to a new account with a key and a command that uses it; usage is shown; the key can be revoked', async () => {
    await onPage(
      async (page) => {
        await page.goto(server().baseUrl)
        await page.getByRole('link', { name: 'Get a key' }).click()
        await page.getByRole('heading', { name: 'Create an account' }).waitFor()
        const { email } = newIdentity()
        await page.getByLabel('Email').fill(email)
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await page.getByRole('button', { name: 'Create account' }).click()
        await page.getByText('is ready').waitFor()
        expect(page.url()).toBe(`${server().baseUrl}/app/keys`)
        await page.getByText('1,000 units left').waitFor()

        const token = await textContentOf(page.locator('.token code'))
        expect(token).toMatch(/^kf_live_[0-9a-f]{64}$/)
        await page.getByRole('button', { name: 'Copy: token' }).click()
        await page.getByRole('status').filter({ hasText: 'Copied: token' }).waitFor()
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)

        const command = await textContentOf(page.locator('.key-made pre'))
        expect(await run(command)).toEqual({ result: ['apple', 'pear'], kept: 2, removed: 1 })

        await page.getByRole('button', { name: 'I have copied it' }).click()
        await page.getByRole('button', { name: 'Refresh' }).click()
        await page.getByText('997 units left').waitFor()
        const call = page.getByRole('table', { name: /^Calls/ }).locator('tbody tr')
        expect((await call.locator('td').allTextContents()).slice(1, 7)).toEqual([
          '200',
          '3',
          'lines',
          '3',
          '1',
          'first key',
        ])
        await page.getByText('Show as a table').click()
        const day = page.getByRole('table', { name: /Units per day/ }).locator('tbody tr')
        expect((await day.locator('td').allTextContents()).slice(0, 6)).toEqual(['3', '0', '0', '0', '3', '1'])
        expect(await page.content()).not.toContain(token)

        await page.getByRole('button', { name: 'Revoke first key' }).click()
        await page.getByRole('button', { name: 'Cancel' }).click()
        expect(await run(command)).toMatchObject({ kept: 2 })
        await page.getByRole('button', { name: 'Revoke first key' }).click()
        await page.getByRole('button', { name: 'Revoke permanently' }).click()
        await page.getByText('1 revoked key').waitFor()
        expect(await run(command)).toEqual({ error: 'invalid api key' })
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    )
  })

  test('"Get a key" asks signed-in users for the name of a new key', async () => {
    await asPerson(await newPerson(server()), async (page) => {
      await page.goto(`${server().baseUrl}/`)
      await page.getByRole('link', { name: 'Get a key' }).click()
      await page.getByRole('dialog', { name: 'New API key' }).waitFor()
    })
  })

  test('#new opens the dialog for a new key even if the page is already open', async () => {
    await asPerson(await newPerson(server()), async (page) => {
      await page.getByText('No active key').waitFor()
      await page.goto(`${server().baseUrl}/app/keys#new`)
      await page.getByRole('dialog', { name: 'New API key' }).waitFor()
    })
  })

  test('a token is no longer shown after a reload', async () => {
    await asPerson(await newPerson(server()), async (page) => {
      const token = await createKey(page, 'once')
      await page.reload()
      await page.getByRole('button', { name: 'Revoke once' }).waitFor()
      expect(await page.content()).not.toContain(token)
    })
  })

  test('at the key limit of the plan, the page explains the limit and whom to contact', async () => {
    const look = async (page: Page): Promise<void> => {
      await createKey(page, 'only')
      const note = page.getByText('Free has 1 active key.')
      await note.waitFor()
      expect(await textContentOf(note)).toContain('Write to plans@example.com')
      const button = page.getByRole('button', { name: 'New key' })
      expect(await button.isDisabled()).toBe(true)
      const background = () => button.evaluate((element) => getComputedStyle(element).backgroundColor)
      const before = await background()
      await button.hover()
      expect(await background(), 'under the pointer').toBe(before)
    }
    await asPerson(await newPerson(server()), look, { reducedMotion: 'reduce' })
  })

  test('HTML in the name of a key is shown as text, and a name from right to left leaves the text around it alone', async () => {
    await asPerson(await newPerson(server()), async (page) => {
      const name = '<img src=x onerror="document.title=1">\u202e'
      await createKey(page, name)
      await page.getByRole('button', { name: `Revoke ${name}` }).click()
      expect(await textContentOf(page.getByRole('dialog'))).toContain(name)
      expect(await page.title()).toContain('Keys')
      const directed = page.locator('.key-name')
      expect(await directed.count()).toBeGreaterThan(1)
      for (const each of await directed.all())
        expect(await each.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('isolate')
      expect(await page.getByLabel('Show calls of key').locator('option').last().textContent()).toContain(
        `\u2068${name}\u2069 (kf_live_`,
      )
    })
  })
})

describe('signing in', () => {
  test('no cookies are set before', async () => {
    await onPage(async (page) => {
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await page.context().cookies()).toEqual([])
    })
  })

  test('creating an account with an existing address is treated like signing in with a wrong password', async () => {
    const { email } = await newPerson(server())
    await onPage(async (page) => {
      await page.getByRole('tab', { name: 'Create account' }).click()
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill('not the password of it')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByText('sign in with its password').waitFor()
    })
  })

  test.each([
    { name: 'an invalid address', email: 'nobody', password: PASSWORD, error: 'Enter an email address.' },
    { name: 'a short password', email: 'a@example.com', password: 'short', error: 'Use at least 8 characters.' },
  ])('the error for $name is shown next to the field, which gets the focus', async ({ email, password, error }) => {
    await onPage(async (page) => {
      await page.getByRole('tab', { name: 'Create account' }).click()
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByText(error).waitFor()
      await page.locator('[aria-invalid=true]:focus').waitFor()
      await expectAccessible(page)
    })
  })

  test('with only the keyboard', async () => {
    const { email } = await newPerson(server())
    await onPage(async (page) => {
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      // The text arrives before the script has run; only then does the focus stay where it is put.
      await page.locator('body[data-hydrated]').waitFor()
      await page.getByRole('tab', { name: 'Sign in' }).focus()
      await page.keyboard.press('Tab')
      await page.keyboard.type(email)
      expect(await page.getByLabel('Email').inputValue()).toBe(email)
      await page.keyboard.press('Tab')
      await page.keyboard.type(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'New key' }).waitFor()
      await page.getByRole('button', { name: 'New key' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.locator('button:focus', { hasText: 'New key' }).waitFor()
    })
  })

  test.each([
    { action: 'refreshing', act: (page: Page) => page.getByRole('button', { name: 'Refresh' }).click() },
    { action: 'creating a key', act: (page: Page) => confirm(page, 'New key', 'Create key') },
    { action: 'revoking a key', act: (page: Page) => confirm(page, 'Revoke laptop', 'Revoke permanently') },
    { action: 'signing out everywhere', act: (page: Page) => confirm(page, 'Sign out everywhere') },
  ])('after the session has been ended elsewhere, $action leads back to the sign-in form', async ({ act }) => {
    const person = await newPerson(server())
    await server().operator.setPlan(person.email, 'starter')
    await visit(server(), '/app/account/keys', { cookie: person.cookie, body: { name: 'laptop' } })
    await asPerson(person, async (page) => {
      // Everything has arrived; otherwise requests still in progress would show the sign-in form anyway.
      await page.getByRole('button', { name: 'Revoke laptop' }).waitFor()
      await page.getByText('100,000 units left').waitFor()
      await expect.poll(() => page.getByText(/^No calls in/).count()).toBe(2)
      await visit(server(), '/app/auth/sign-out', { cookie: person.cookie, body: {} })
      await act(page)
      await page.getByText('Your session has ended').waitFor()
    })
  })

  test('if a part of the page is missing, as after a new release, it says so and can be reloaded', async () => {
    const { email } = await newPerson(server())
    await onPage(async (page) => {
      const dashboard = /assets\/Dashboard/
      await page.route(dashboard, (route) => route.abort())
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').filter({ hasText: 'This page could not be loaded' }).waitFor()
      await page.unroute(dashboard)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('No active key').waitFor()
    })
  })

  test('with a one-time link from the operator, which disappears from the address bar at once', async () => {
    const { email } = newIdentity()
    await server().key(email, 'starter')
    const link = await server().operator.link(email)
    await onPage(async (page) => {
      await page.goto(link)
      await page.getByRole('heading', { name: 'Choose a password' }).waitFor()
      expect(page.url()).toBe(`${server().baseUrl}/app/keys`)
      await expectAccessible(page)
      await page.getByLabel('New password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Save and sign in' }).click()
      await page.getByText('Starter plan').waitFor()
      expect(await page.getByText(email).isVisible()).toBe(true)
    })
    await onPage(async (page) => {
      await page.goto(link)
      await page.getByLabel('New password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Save and sign in' }).click()
      await page.getByText('This link has been used').waitFor()
    })
  })

  test('with a one-time link while another user is signed in, of whom nothing is shown any more', async () => {
    const email = `claimed-${newIdentity().email}`
    await server().key(email, 'starter')
    const link = await server().operator.link(email)
    const other = await newPerson(server())
    await asPerson(other, async (page) => {
      await page.goto(link)
      await page.getByLabel('New password').fill(PASSWORD)
      let answerNow = (): void => {}
      const held = new Promise<void>((resolve) => {
        answerNow = resolve
      })
      await page.route('**/app/session', async (route) => {
        await held
        await route.continue()
      })
      const asked = page.waitForRequest('**/app/session')
      await page.getByRole('button', { name: 'Save and sign in' }).click()
      await asked
      expect(await page.content()).not.toContain(other.email)
      answerNow()
      await page.getByText('Starter plan').waitFor()
      await page.getByText(email).waitFor()
    })
  })

  test.each(['info@bücher.example', 'boss@intranet'])('with an address that the operator chose: %s', async (email) => {
    const { from } = newIdentity()
    await server().key(email, 'starter')
    await claim(server(), await claimToken(server(), email), from)
    await onPage(async (page) => {
      await page.getByRole('tab', { name: 'Sign in' }).click()
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('Starter plan').waitFor()
    })
  })

  test('with SIGNUP=closed, the page has no form for creating an account and says whom to contact', async () => {
    const closed = await startServer({ env: { SIGNUP: 'closed', CONTACT: 'https://ops.example.com/plans' } })
    await onPage(
      async (page) => {
        await page.getByText('New accounts are created by the operator of this server.').waitFor()
        expect(await page.getByRole('tab').count()).toBe(0)
        expect(await page.getByRole('link', { name: 'ops.example.com/plans' }).getAttribute('href')).toBe(
          'https://ops.example.com/plans',
        )
        await expectAccessible(page)
      },
      {},
      closed,
    )
    await closed.stop()
  })
})

describe('the page shows what the server knows, whatever happens meanwhile', () => {
  test('a plan that the operator has changed, and another user who has signed in on another tab', async () => {
    const [person, other] = [await newPerson(server()), await newPerson(server())]
    await asPerson(person, async (page) => {
      await createKey(page, 'only')
      const newKey = page.getByRole('button', { name: 'New key' })
      await expect.poll(() => newKey.isDisabled()).toBe(true)
      await server().operator.setPlan(person.email, 'starter')
      await page.getByRole('button', { name: 'Refresh' }).click()
      await page.getByText('Starter plan').waitFor()
      await page.getByText('100,000 units left').waitFor()
      expect(await newKey.isDisabled()).toBe(false)

      await page.context().addCookies(sessionOf(other, server()).cookies)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await page.getByText(other.email).waitFor()
      await page.getByText('No active key').waitFor()
      expect(await page.content()).not.toContain(person.email)
      expect(await page.locator('.token').count()).toBe(0)
    })
  })

  test('without a connection, it says that it may be out of date, and that nobody has been signed out', async () => {
    await asPerson(await newPerson(server()), async (page) => {
      await page.getByText('No active key').waitFor()
      await page.context().setOffline(true)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await page.getByRole('alert').filter({ hasText: 'What you see may be out of date' }).waitFor()
      await page.getByRole('button', { name: 'Sign out', exact: true }).click()
      await page.getByRole('alert').filter({ hasText: 'You are still signed in' }).waitFor()
      await expectAccessible(page)
      await page.context().setOffline(false)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await page.getByText('What you see may be out of date').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Sign out', exact: true }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    })
  })

  test('a list that cannot be refreshed stays, with the reason', async () => {
    await asPerson(await busyPerson(), async (page) => {
      await page.getByRole('button', { name: 'Revoke nightly import' }).waitFor()
      await page.getByRole('table', { name: /^Calls/ }).waitFor()
      await page.route('**/app/account/**', (route) => route.fulfill({ status: 503, json: { error: 'busy' } }))
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect.poll(() => page.getByText('The server is busy. Try again in a moment.').count()).toBe(4)
      await page.getByRole('button', { name: 'Revoke nightly import' }).waitFor()
      await page.getByRole('table', { name: /^Calls/ }).waitFor()
    })
  })

  test('a key that was created although the answer was lost is listed afterwards', async () => {
    await asPerson(await newPerson(server()), async (page) => {
      await page.getByText('No active key').waitFor()
      await page.route('**/app/account/keys', async (route) => {
        if (route.request().method() === 'GET') return route.continue()
        await route.fetch()
        await route.abort()
      })
      await confirm(page, 'New key', 'Create key')
      await page.getByRole('alert').filter({ hasText: 'The server could not be reached' }).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Revoke another' }).waitFor()
    })
  })

  test('the current month, even if the clock of this computer is in another one', async () => {
    await asPerson(await busyPerson(), async (page) => {
      const month = await textContentOf(page.locator('.month-name'))
      await page.clock.setFixedTime(Date.now() + 40 * 86_400_000)
      await page.reload()
      await page.getByText('990 units left').waitFor()
      await expect.poll(() => textContentOf(page.locator('.month-name'))).toBe(month)
      await page.getByRole('table', { name: /^Calls/ }).waitFor()
    })
  })
})

describe('usage', () => {
  test('calls can be filtered by key and status; the filter is in the address and applies to the download', async () => {
    await asPerson(await busyPerson(), async (page) => {
      const rows = page.getByRole('table', { name: /^Calls/ }).locator('tbody tr')
      await rows.first().waitFor()
      expect(await rows.count()).toBe(4)
      await page.getByLabel('Show calls with outcome').selectOption('refused')
      await expect.poll(() => rows.count()).toBe(1)
      expect(await textContentOf(rows.first())).toContain('400 not understood')
      expect(new URL(page.url()).search).toBe('?status=refused')

      await page.reload()
      await expect.poll(() => rows.count()).toBe(1)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'These as CSV' }).click(),
      ])
      const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
      expect(download.suggestedFilename()).toMatch(/^keepfirst-calls-\d{4}-\d{2}\.csv$/)
      expect(lines).toHaveLength(1 + 1 + 1)

      await page.getByLabel('Show calls with outcome').selectOption('')
      await expect.poll(() => rows.count()).toBe(4)
      await page.getByLabel('Show calls of key').selectOption({ index: 1 })
      await expect.poll(() => new URL(page.url()).search).toMatch(/^\?key=/)
      await expect.poll(() => rows.count()).toBe(4)
      await page.getByLabel('Show calls with outcome').selectOption('429')
      await page.getByText(/^No calls in .* match the filter/).waitFor()
    })
  })

  test('an invalid filter in the address is ignored', async () => {
    await asPerson(await busyPerson(), async (page) => {
      await page.goto(`${server().baseUrl}/app/keys?status=wrong&key=%20&month=13`)
      await expect
        .poll(() =>
          page
            .getByRole('table', { name: /^Calls/ })
            .locator('tbody tr')
            .count(),
        )
        .toBe(4)
    })
  })

  test('the units of each key, and the share of each plan that the last days would have used', async () => {
    await asPerson(await busyPerson(), async (page) => {
      const keys = page.getByRole('table', { name: /^Units by key/ }).locator('tbody tr')
      await keys.first().waitFor()
      expect(await keys.locator('td').allTextContents()).toEqual(['10', '3', '1'])
      const plans = page.getByRole('table', { name: 'Plans side by side' })
      await plans.getByText('would take 1%').first().waitFor()
      expect(await textContentOf(plans)).toContain('your plan')
      const link = page.getByRole('link', { name: 'Ask for Starter' })
      expect(await link.getAttribute('href')).toMatch(/^mailto:plans@example\.com\?subject=Keepfirst%3A%20Starter/)
    })
  })

  test('400, 413 and 429 are explained next to the calls', async () => {
    await asPerson(await busyPerson(), async (page) => {
      await page.getByText('What the statuses mean').click()
      const text = await textContentOf(page.locator('.meanings'))
      for (const meaning of ['400 not understood', '413 too large', '429 limit reached', 'Retry-After'])
        expect(text).toContain(meaning)
    })
  })

  test('the status of a call is visible on a phone without scrolling', async () => {
    await asPerson(
      await busyPerson(),
      async (page) => {
        const status = page
          .getByRole('table', { name: /^Calls/ })
          .locator('tbody .tag')
          .first()
        const box = await status.boundingBox()
        expect((box?.x ?? 1_000) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
      },
      { viewport: { width: 390, height: 844 } },
    )
  })

  test('an earlier month without calls is shown as empty, with a button back', async () => {
    await asPerson(await busyPerson(), async (page) => {
      await page.getByText('Show as a table').waitFor()
      await page.getByRole('button', { name: /^Earlier/ }).click()
      await page
        .getByText(/^No calls in/)
        .first()
        .waitFor()
      await page.getByRole('button', { name: /^Later/ }).click()
      await page.getByText('Show as a table').waitFor()
    })
  })

  test('used-up monthly units are pointed out', async () => {
    const person = await newPerson(server())
    const created = await visit(server(), '/app/account/keys', { cookie: person.cookie, body: { name: 'k' } })
    const data = Array.from({ length: 200 }, (_, i) => i)
    for (let i = 0; i < 5; i++)
      await server().call({ token: textOf(created.json, 'token'), body: { mode: 'json', data } })
    await asPerson(person, async (page) => {
      await page.getByText('This month’s units are used up').waitFor()
      await page.getByText('0 units left').waitFor()
    })
  })
})

describe('the account', () => {
  const NEW_PASSWORD = 'another good password'

  test('changing the password ends other sessions, but not the current one', async () => {
    const person = await newPerson(server())
    await asPerson(person, async (page) => {
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByLabel('Current password').fill('not my password')
      await page.getByLabel('New password').fill(NEW_PASSWORD)
      await page.getByRole('button', { name: 'Save password' }).click()
      await page.getByText('That is not your password.').waitFor()
      await page.getByLabel('Current password').fill(PASSWORD)
      await page.getByLabel('New password').fill('password')
      await page.getByRole('button', { name: 'Save password' }).click()
      await page.getByText('This password is easy to guess').waitFor()
      await page.getByLabel('New password').fill(NEW_PASSWORD)
      await page.getByRole('button', { name: 'Save password' }).click()
      await page.getByText('Your password has been changed').waitFor()
      await page.reload()
      await page.getByText('No active key').waitFor()
      expect(await sessionEmail(server(), person.cookie)).toBeNull()
    })
  })

  test('signing out everywhere ends all sessions', async () => {
    const person = await newPerson(server())
    await asPerson(person, async (page) => {
      await page.getByRole('button', { name: 'Sign out everywhere' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await sessionEmail(server(), person.cookie)).toBeNull()
    })
  })

  test('all stored data can be downloaded', async () => {
    const person = await busyPerson()
    await asPerson(person, async (page) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download my data' }).click(),
      ])
      const data = await readFile(await download.path(), 'utf8')
      expect(JSON.stringify(JSON.parse(data))).toContain(person.email)
      expect(data).toContain('nightly import')
    })
  })

  test('deleting an account revokes its keys at once; before and after, the page explains what data is kept', async () => {
    const person = await newPerson(server())
    await asPerson(person, async (page) => {
      const token = await createKey(page, 'laptop')
      await page.getByRole('button', { name: 'Delete account' }).click()
      expect(await textContentOf(page.getByRole('dialog'))).toContain('Only daily totals of units are kept')
      await page.getByLabel('Password', { exact: true }).fill('not my password')
      await page.getByRole('button', { name: 'Delete permanently' }).click()
      await page.getByText('That is not your password.').waitFor()
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Delete permanently' }).click()
      await page.getByText('Your account has been deleted').waitFor()
      expect(await textContentOf(page.getByRole('status').first())).toContain('Only daily totals')
      expect((await server().call({ token, body: { mode: 'lines', data: 'a' } })).status).toBe(401)
      await page.getByLabel('Email').fill(person.email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('do not match an account').waitFor()
    })
  })

  test('the sign-in form explains what to do about a forgotten password', async () => {
    await onPage(async (page) => {
      await page.getByText('Forgot your password?').click()
      const text = await textContentOf(page.locator('.forgotten'))
      expect(text).toContain('This server sends no mail')
      expect(text).toContain('Write to plans@example.com')
    })
  })

  test('keyboard only: creating an account and a key, changing the password, deleting the account', async () => {
    await onPage(async (page) => {
      const press = async (...keys: string[]): Promise<void> => {
        for (const key of keys) await page.keyboard.press(key)
      }
      /** Presses Tab until the element with this name has the focus; fails if it cannot be reached. */
      const tabTo = async (name: string | RegExp): Promise<void> => {
        for (let steps = 0; steps < 60; steps++) {
          await page.keyboard.press('Tab')
          const focused = page.locator(':focus')
          const label = `${await focused.getAttribute('aria-label').catch(() => '')} ${await focused.textContent()}`
          const labels = await focused.evaluate((element) =>
            'labels' in element
              ? [...(element.labels as NodeListOf<Element>)].map((each) => each.textContent).join()
              : '',
          )
          if (new RegExp(name).test(`${label} ${labels}`)) return
        }
        throw new Error(`the Tab key does not reach ${name}`)
      }
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.goto(`${server().baseUrl}/app/keys#new`)
      await page.getByRole('heading', { name: 'Create an account' }).waitFor()
      await tabTo('Email')
      await page.keyboard.type(newIdentity().email)
      await tabTo('^.*Password')
      await page.keyboard.type(PASSWORD)
      await press('Enter')
      await page.getByText('is ready').waitFor()
      await tabTo('Copy: token')
      await tabTo('I have copied it')
      await press('Enter')
      await page.getByText('is ready').waitFor({ state: 'detached' })
      await page.getByRole('region', { name: 'API keys' }).and(page.locator(':focus')).waitFor()
      await tabTo('Change password')
      await press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type(PASSWORD)
      await tabTo('New password')
      await page.keyboard.type(NEW_PASSWORD)
      await press('Enter')
      await page.getByText('Your password has been changed').waitFor()
      await tabTo('Delete account')
      await press('Enter')
      await page.keyboard.type(NEW_PASSWORD)
      await press('Enter')
      await page.getByText('Your account has been deleted').waitFor()
    })
  })
})

describe('accessibility and layout', () => {
  let person: Person
  beforeAll(async () => {
    person = await busyPerson()
  })

  test.each([
    { scheme: 'dark' as const, width: 360 },
    { scheme: 'light' as const, width: 1280 },
  ])('no accessibility violations: $width pixels, $scheme', async ({ scheme, width }) => {
    const options = { colorScheme: scheme, viewport: { width, height: 900 } }
    await onPage(async (page) => {
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await expectAccessible(page)
    }, options)
    await asPerson(
      person,
      async (page) => {
        await page.getByText('Show as a table').click()
        await page.getByRole('table', { name: /^Calls/ }).waitFor()
        await expectAccessible(page)
        await page.getByRole('button', { name: /^Revoke / }).click()
        await expectAccessible(page)
      },
      options,
    )
  })

  test('no horizontal scrolling at any width', async () => {
    const checkWidths = async (page: Page): Promise<void> => {
      for (const width of [320, 390, 768, 1280, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        await expectNoSidewaysScroll(page)
      }
    }
    await onPage(async (page) => {
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await checkWidths(page)
    })
    await asPerson(person, async (page) => {
      await page.getByText('Show as a table').click()
      await page.getByRole('table', { name: /^Calls/ }).waitFor()
      await checkWidths(page)
      await page.setViewportSize({ width: 320, height: 900 })
      const revoke = page.getByRole('button', { name: /^Revoke / })
      for (const button of [revoke, page.getByRole('link', { name: 'Ask for Pro' })])
        expect((await button.boundingBox())?.width, 'wholly inside its panel').toBe(
          await button.evaluate((element) => {
            const { left, right } = element.getBoundingClientRect()
            const panel = element.closest('.panel')?.getBoundingClientRect()
            return Math.min(right, panel?.right ?? 0) - Math.max(left, panel?.left ?? 0)
          }),
        )
      await revoke.click()
      for (const button of await page.getByRole('dialog').getByRole('button').all())
        expect((await button.boundingBox())?.x).toBeGreaterThan((await page.getByRole('dialog').boundingBox())?.x ?? 0)
    })
  })

  test('the dialog for a new key is accessible and fits a phone', async () => {
    const owner = await newPerson(server())
    await asPerson(
      owner,
      async (page) => {
        await page.getByRole('button', { name: 'New key' }).click()
        await expectAccessible(page)
        await page.getByRole('button', { name: 'Create key' }).click()
        await page.getByText('Give the key a name.').waitFor()
        await page.getByLabel('Name').fill('phone')
        await page.getByRole('button', { name: 'Create key' }).click()
        await page.getByText('is ready').waitFor()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      },
      { viewport: { width: 360, height: 740 } },
    )
  })

  test('in one column, the focus moves from top to bottom', async () => {
    await asPerson(
      person,
      async (page) => {
        await page.getByRole('table', { name: /^Calls/ }).waitFor()
        await page.getByRole('heading', { name: 'Keys and usage' }).click()
        const headings: string[] = []
        for (;;) {
          await page.keyboard.press('Tab')
          const heading = await page.evaluate(
            () => document.activeElement?.closest('.keys-grid .panel')?.querySelector('h2')?.textContent,
          )
          if (heading === undefined && headings.length > 0) break
          if (heading && heading !== headings.at(-1)) headings.push(heading)
        }
        const shown = await page.locator('.keys-grid .panel').evaluateAll((panels) =>
          panels
            .map((panel) => ({ top: panel.getBoundingClientRect().top, heading: panel.querySelector('h2') }))
            .sort((a, b) => a.top - b.top)
            .map(({ heading }) => heading?.textContent),
        )
        expect(headings).toEqual(shown)
      },
      { viewport: { width: 390, height: 844 } },
    )
  })

  test('content does not shift while the rest loads', async () => {
    await asPerson(person, async (page) => {
      await page.getByRole('table', { name: /^Calls/ }).waitFor()
      const shifted = await layoutShift(page)
      expect(shifted).toBeLessThan(0.1)
    })
  })
})

test('a user who signed up in another browser can sign in', async () => {
  const { email, from } = newIdentity()
  await signUp(server(), email, { from })
  await onPage(async (page) => {
    await page.getByLabel('Email').fill(` ${email.toUpperCase()} `)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('No active key').waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.context().cookies()).toEqual([])
  })
})
