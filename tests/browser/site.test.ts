import { PLANS } from '@keepfirst/protocol'
import { describe, expect, test } from 'vitest'
import { startBrowserTests, textContentOf } from '../support/browser.ts'

const BASE_URL = 'https://dedupe.example.com'
const { server, open } = startBrowserTests({ env: { BASE_URL, CONTACT: 'ops@example.com' } })

const get = async (path: string, headers: Record<string, string> = {}) =>
  server().call({ method: 'GET', path, headers })

describe('pages contain the address of their server before any script runs', () => {
  test('the home page shows a request to its public address', async () => {
    expect((await get('/')).text).toContain(`curl ${BASE_URL}/api/dedupe`)
  })

  test('the API reference and the recipes contain no other address', async () => {
    for (const path of ['/api', '/recipes', '/about']) {
      const { text } = await get(path)
      expect(text).toContain(BASE_URL)
      expect(text).not.toContain('localhost')
    }
  })

  test('the footer of every page has contact, privacy, changes, licence and version', async () => {
    const { page, close } = await open('/')
    for (const path of ['/', '/api', '/recipes', '/app/keys', '/about', '/nowhere']) {
      await page.goto(server().baseUrl + path)
      const links = page.locator('footer a')
      const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
      expect(targets).toEqual(
        expect.arrayContaining(['/about#contact', '/about#privacy', '/about#changes', '/about#licence']),
      )
      expect(await textContentOf(page.locator('footer'))).toMatch(/Keepfirst \d+\.\d+\.\d+/)
    }
    await close()
  })

  test('the sections that the footer links to exist', async () => {
    const { page, close } = await open('/about')
    for (const id of ['contact', 'privacy', 'changes', 'licence'])
      expect((await textContentOf(page.locator(`section#${id}`))).length, id).toBeGreaterThan(30)
    expect(await page.locator('#contact a').getAttribute('href')).toBe('mailto:ops@example.com')
    expect(await textContentOf(page.locator('#licence'))).toContain('MIT License')
    await close()
  })
})

describe('page responses', () => {
  test.each([
    { accepts: 'br, gzip', coding: 'br' },
    { accepts: 'gzip', coding: 'gzip' },
    { accepts: 'gzip;q=1, br;q=0', coding: 'gzip' },
    { accepts: 'identity', coding: undefined },
    { accepts: 'zstd', coding: undefined },
  ])('Accept-Encoding: $accepts gets $coding', async ({ accepts, coding }) => {
    const { headers } = await get('/', { 'accept-encoding': accepts })
    expect(headers['content-encoding']).toBe(coding)
    expect(headers.vary).toBe('accept-encoding')
  })

  test('a page that the browser has cached is not sent again', async () => {
    const { headers } = await get('/api')
    const again = await get('/api', { 'if-none-match': headers.etag ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
    for (const name of ['etag', 'vary', 'cache-control']) expect(again.headers[name], name).toBe(headers[name])
    expect((await get('/', { 'if-none-match': headers.etag ?? '' })).status).toBe(200)
  })
})

describe('the first screen', () => {
  test.each([1_280, 390])(
    'at %s pixels, says what the product is, who it is for, that nothing is uploaded, and what it costs',
    async (width) => {
      const { page, close } = await open('/', { viewport: { width, height: 844 } })
      const { keyless, starter } = PLANS
      for (const text of [
        'Remove duplicates.',
        'Paste a list here, or send one from your program',
        'Nothing is uploaded.',
        `${keyless.allowance.units} units a day without a key`,
        `$${starter.pricePerMonth}`,
      ]) {
        const box = await page.getByText(text).first().boundingBox()
        expect((box?.y ?? 1e9) + (box?.height ?? 0), text).toBeLessThanOrEqual(844)
      }
      await close()
    },
  )

  test('its request can be copied, and the copied command works', async () => {
    const { page, close } = await open('/', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: 'Copy: A request' }).click()
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor()
    const command = await page.evaluate(() => navigator.clipboard.readText())
    expect(command.startsWith(`curl ${BASE_URL}/api/dedupe`)).toBe(true)
    const body = /-d '(.*)'$/s.exec(command)?.[1]
    const { text } = await server().call({ body })
    expect(text).toBe('{"result":[9007199254740993,9007199254740992],"kept":2,"removed":1}')
    await close()
  })
})
