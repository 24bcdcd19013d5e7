import { DEDUPE_EXAMPLES, describeApi, describeErrors, MODES } from '@keepfirst/protocol'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../packages/web/src/examples/examples.ts'
import { startBrowserTests, textContentOf } from '../support/browser.ts'
import { expectAccessible } from '../support/pages.ts'

const { server, open } = startBrowserTests()

describe('the API reference', () => {
  test('has every field, option, error and header of the API description, and the address of this server', async () => {
    const { page, close } = await open('/api')
    const text = await textContentOf(page.locator('main'))
    const { schemas } = describeApi(server().baseUrl).components
    const members = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      name === 'ValidateSummary' ? [] : Object.keys(properties),
    )
    const missing = members.filter((name) => !text.includes(name))
    expect(missing).toEqual([])
    for (const { refusal } of describeErrors(server().baseUrl)) expect(text).toContain(refusal.body.error)
    for (const header of ['Access-Control-Allow-Origin', 'Retry-After']) expect(text).toContain(header)
    expect(text).toContain(`curl ${server().baseUrl}/api/dedupe`)
    await close()
  })

  test('sends requests to this server, with and without a key, and does not keep the key', async () => {
    const { token } = await server().key('reader@example.com', 'free')
    const { page, problems, close } = await open('/api')
    const form = page.getByRole('form', { name: 'Send a request' }).first()
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('200 OK').waitFor()
    expect(await textContentOf(form.getByRole('region', { name: 'Answer' }))).toContain(
      '{"result":["Anna","Ben","Cleo"],"kept":3,"removed":2}',
    )

    await form.getByRole('button', { name: 'fuzzy' }).click()
    await form.getByLabel('Key').fill(token)
    await form.getByRole('button', { name: 'Send' }).focus()
    await page.keyboard.press('Enter')
    await form.getByText('"removed":1').waitFor()
    await page.locator('button:focus', { hasText: 'Send' }).waitFor()
    expect(problems).toEqual([])

    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(stored).not.toContain(token)
    await page.reload()
    expect(await form.getByLabel('Key').inputValue()).toBe('')
    await close()
  })

  test('a refused request shows its status and its message', async () => {
    const { page, close } = await open('/api')
    const form = page.getByRole('form', { name: 'Send a request' }).last()
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('401 Unauthorized').waitFor()
    expect(await textContentOf(form.getByRole('region', { name: 'Answer' }))).toContain('an API key is required')
    await close()
  })

  test('all links within the page have a target: contents, options, errors, headers', async () => {
    const { page, close } = await open('/api')
    const anchors = await page
      .locator('main a[href^="#"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    const { schemas } = describeApi(server().baseUrl).components
    for (const mode of MODES)
      for (const option of Object.keys(schemas[`${mode[0]?.toUpperCase()}${mode.slice(1)}Options`]?.properties ?? {}))
        expect(anchors).toContain(`#${mode}-${option}`)
    for (const { name } of describeErrors(server().baseUrl)) expect(anchors).toContain(`#error-${name}`)
    const ids = await page.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    expect(anchors.filter((anchor) => !ids.includes(anchor.slice(1)))).toEqual([])
    await close()
  })

  test.each([
    { hash: '#lines', example: 'lines' },
    { hash: '#rows', example: 'rows' },
    { hash: '#rows-keyColumns', example: 'rows' },
    { hash: '#rows-threshold', example: 'fuzzy' },
    { hash: '#json-key', example: 'json' },
    { hash: '#errors', example: 'lines' },
  ])('/api$hash opens the example $example, also in the form', async ({ hash, example }) => {
    const { page, close } = await open(`/api${hash}`)
    await page.getByRole('tab', { name: example, exact: true, selected: true }).waitFor()
    const { request } = DEDUPE_EXAMPLES.find(({ name }) => name === example) ?? {}
    expect(JSON.parse(await page.getByLabel('Body').first().inputValue())).toEqual(request)
    await close()
  })

  test('examples are shown in every language that supports them, and can be copied', async () => {
    const { page, close } = await open('/api', { permissions: ['clipboard-read', 'clipboard-write'] })
    const languages = page.getByRole('tablist', { name: 'Language' })
    const titles = Object.values(LANGUAGES)
    expect(await languages.first().getByRole('tab').allTextContents()).toEqual(titles)
    expect(await languages.last().getByRole('tab').allTextContents()).toEqual(titles.slice(0, -1))
    await languages.first().getByRole('tab', { name: 'Python' }).click()
    await page.getByRole('tab', { name: 'json', exact: true }).click()
    const shown = await textContentOf(page.getByRole('figure', { name: 'Request' }).first().locator('pre'))
    expect(shown).toContain('urllib.request')
    expect(shown).toContain('user.id')
    await page.getByRole('button', { name: 'Copy: request' }).first().click()
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown)
    await close()
  })

  test('a link within the page also opens its example', async () => {
    const { page, close } = await open('/api')
    await page.getByRole('link', { name: 'JSON', exact: true }).click()
    await page.getByRole('tab', { name: 'json', exact: true, selected: true }).waitFor()
    await close()
  })

  test('the current section is marked in the table of contents', async () => {
    const { page, close } = await open('/api#errors', { reducedMotion: 'reduce' })
    const marked = page.locator('nav[aria-label="On this page"] a[aria-current]')
    await marked.filter({ hasText: 'Errors' }).waitFor()
    await page.evaluate(() => document.getElementById('rows-threshold')?.scrollIntoView())
    await marked.filter({ hasText: 'CSV rows' }).waitFor()
    expect(await marked.count()).toBe(1)
    await close()
  })

  test('search finds options, errors and common pitfalls, and can be used by keyboard', async () => {
    const { page, close } = await open('/api', { reducedMotion: 'reduce' })
    const links = page.locator('nav[aria-label="On this page"] a')
    const search = page.getByRole('searchbox', { name: 'Search this page' })
    await search.fill('gzip')
    await links.filter({ hasText: 'Request' }).waitFor()
    await search.fill('monthly unit')
    await links.filter({ hasText: '429 monthly unit limit reached' }).waitFor()
    await search.fill('threshold')
    expect(await textContentOf(links.first())).toContain('options.threshold')
    await expectAccessible(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#rows-threshold$/)
    expect(await search.inputValue()).toBe('')
    await search.fill('zzzz')
    await page.getByText('Nothing found').first().waitFor()
    await close()
  })

  test.each([
    'empty cells are equal',
    'The first column is 0',
    'There is no trim for rows',
    'needs ten characters before one edit is allowed',
    'A digit counts like any other character',
    'José and Jose differ',
    'not .user.id or $.user.id',
    'contains a dot can’t be reached',
    'a single null',
    'application/x-www-form-urlencoded',
    'Content-Encoding: gzip',
    'Don’t forget the word Bearer',
    'Pages of another origin may call the API, but not with a key',
  ])('explains common pitfalls: %s', async (sentence) => {
    const page = await fetch(`${server().baseUrl}/api`)
    const text = (await page.text()).replaceAll(/<[^>]*>/g, '').replaceAll(/&\w+;/g, ' ')
    expect(text).toContain(sentence)
  })

  test('on a phone, errors wrap and are not cut off', async () => {
    const { page, close } = await open('/api#errors', { viewport: { width: 390, height: 844 } })
    const columns = await page
      .locator('.error')
      .first()
      .evaluate((error) => getComputedStyle(error).gridTemplateColumns)
    expect(columns.split(' ')).toHaveLength(2)
    const clipped = await page
      .locator('.error *')
      .evaluateAll((parts) =>
        parts.filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth),
      )
    expect(clipped).toEqual([])
    await close()
  })

  test('the hint for the key is associated with its field in each form', async () => {
    const { page, close } = await open('/api')
    for (const form of await page.getByRole('form', { name: 'Send a request' }).all()) {
      const field = form.locator('input[type=password]')
      const hint = (await field.getAttribute('aria-describedby')) ?? ''
      expect(await textContentOf(form.locator(`[id="${hint}"]`))).toContain('forgotten when you leave')
    }
    await close()
  })
})
