import { describe, expect, test } from 'vitest'
import { serveAndLook, wordsOf } from '../support/browser.ts'
import { expectAccessible, expectNoSidewaysScroll, layoutShift } from '../support/pages.ts'
import { lookAt, readersOf, STATES } from '../support/states.ts'

const { server, browser, look } = serveAndLook()

const PAGES = ['/', '/api', '/recipes', '/app/keys', '/about']
/** `tests/long/states.test.ts` has the other combinations, for every state of the pages. */
const EYES = [
  { eyes: 'wide and dark', width: 1_440, colorScheme: 'dark' as const },
  { eyes: 'a phone', width: 360, colorScheme: 'light' as const },
]
const VIEWS = PAGES.flatMap((path) => EYES.map((eyes) => ({ path, ...eyes })))

describe('every page', () => {
  test.each(VIEWS)('$path, $eyes: axe finds nothing, nothing is cut off sideways', async (view) => {
    const { path, width, colorScheme } = view
    const { page, close } = await look(path, {
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: 'reduce',
    })
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await close()
  })

  test.each(PAGES)(
    '%s: text of twice the size is neither cut off nor wider than the window, wide or narrow',
    async (path) => {
      const { page, close } = await look(path, { viewport: { width: 1_280, height: 844 } })
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      for (const width of [1_280, 390]) {
        await page.setViewportSize({ width, height: 844 })
        await expectNoSidewaysScroll(page)
        const cut = await page.locator('h1, h2, h3, p, li, dt, dd, label, button, td, th').evaluateAll((parts) =>
          parts
            .filter((part) => !part.closest('.visually-hidden, .table-frame, .virtual, pre'))
            .filter((part) => getComputedStyle(part).overflow !== 'visible' && part.scrollWidth > part.clientWidth)
            .map(({ textContent }) => textContent),
        )
        expect(cut).toEqual([])
      }
      await close()
    },
  )

  test.each(PAGES)('%s keeps to its policy and its own server, sets no cookie, and does not shift', async (path) => {
    const { page, troubles, close } = await look(path, { reducedMotion: 'reduce' })
    expect(troubles).toEqual([])
    expect(await page.context().cookies()).toEqual([])
    expect(await layoutShift(page), 'while it loads').toBeLessThan(0.01)
    const moving = await page.locator('*').evaluateAll((elements) =>
      elements
        .map((element) => getComputedStyle(element))
        .filter(
          ({ transitionDuration, animationDuration, scrollBehavior }) =>
            /[1-9]/.test(transitionDuration) || /[1-9]/.test(animationDuration) || scrollBehavior === 'smooth',
        )
        .map(({ transitionDuration, animationDuration }) => `${transitionDuration} ${animationDuration}`),
    )
    expect(moving, 'for who wants less motion').toEqual([])
    await close()
  })

  test.each(PAGES)('%s is readable before any script runs', async (path) => {
    const { page, close } = await look(path, { javaScriptEnabled: false })
    expect(await page.locator('nav[aria-label=Pages] a').count()).toBe(4)
    expect((await wordsOf(page.locator('main'))).length).toBeGreaterThan(0)
    await close()
  })

  test('the first thing that the Tab key reaches leads past the header', async () => {
    const { page, close } = await look('/')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    await close()
  })
})

test('what somebody with keys and calls sees on a dark phone: axe finds nothing, nothing is cut off sideways', async () => {
  const state = STATES.find(({ name }) => name === 'keys')
  if (state === undefined) throw new Error('no such state')
  const readers = await readersOf(server())
  const options = {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark' as const,
    reducedMotion: 'reduce' as const,
  }
  const { page, troubles, close } = await lookAt({ browser: browser(), server: server(), readers }, state, options)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  expect(troubles).toEqual([])
  await close()
})

test.each(['gzip', 'gzip, deflate, br'])(
  'the first page takes less than 100 KB over the wire with %s',
  async (coding) => {
    const context = await browser().newContext({ extraHTTPHeaders: { 'Accept-Encoding': coding } })
    const page = await context.newPage()
    const sizes: Promise<number>[] = []
    const codings = new Set<string | undefined>()
    page.on('requestfinished', (request) => {
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    page.on('response', (response) => {
      if (/\.(?:js|css)$/.test(response.url())) codings.add(response.headers()['content-encoding'])
    })
    await page.goto(server().baseUrl, { waitUntil: 'networkidle' })
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeGreaterThan(25_000)
    expect(bytes).toBeLessThan(100 * 1_024)
    expect([...codings]).toEqual([coding.includes('br') ? 'br' : 'gzip'])
    await context.close()
  },
)
