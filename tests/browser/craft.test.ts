import { describe, expect, test } from 'vitest'
import { serveAndLook, wordsOf } from '../support/browser.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../support/pages.ts'

const { server, browser, look } = serveAndLook()

const PAGES = ['/', '/api', '/recipes', '/app/keys', '/about']
const EYES = [
  { eyes: 'wide and light', width: 1_440, colorScheme: 'light' as const },
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

  test.each(PAGES.flatMap((path) => [1_280, 390].map((width) => ({ path, width }))))(
    '$path at $width pixels: text of twice the size is neither cut off nor wider than the window',
    async ({ path, width }) => {
      const { page, close } = await look(path, { viewport: { width, height: 844 } })
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      await expectNoSidewaysScroll(page)
      const cut = await page.locator('h1, h2, h3, p, li, dt, dd, label, button, td, th').evaluateAll((parts) =>
        parts
          .filter((part) => !part.closest('.visually-hidden, .table-frame, .virtual, pre'))
          .filter((part) => getComputedStyle(part).overflow !== 'visible' && part.scrollWidth > part.clientWidth)
          .map(({ textContent }) => textContent),
      )
      expect(cut).toEqual([])
      await close()
    },
  )

  test.each(PAGES)('%s stands still for who wants less motion', async (path) => {
    const { page, close } = await look(path, { reducedMotion: 'reduce' })
    const moving = await page.locator('*').evaluateAll((elements) =>
      elements
        .map((element) => getComputedStyle(element))
        .filter(
          ({ transitionDuration, animationDuration, scrollBehavior }) =>
            /[1-9]/.test(transitionDuration) || /[1-9]/.test(animationDuration) || scrollBehavior === 'smooth',
        )
        .map(({ transitionDuration, animationDuration }) => `${transitionDuration} ${animationDuration}`),
    )
    expect(moving).toEqual([])
    await close()
  })

  test.each(PAGES)('%s keeps to its policy and to its own server, and sets no cookie', async (path) => {
    const { page, troubles, close } = await look(path)
    expect(troubles).toEqual([])
    expect(await page.context().cookies()).toEqual([])
    await close()
  })

  test.each(PAGES)('%s does not move while it loads', async (path) => {
    const { page, close } = await look(path)
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0
          const watcher = new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) if ('value' in entry) sum += Number(entry.value)
          })
          watcher.observe({ type: 'layout-shift', buffered: true })
          setTimeout(() => resolve(sum), 200)
        }),
    )
    expect(shift).toBeLessThan(0.01)
    await close()
  })

  test.each(PAGES)('%s says what it is before any script runs', async (path) => {
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
