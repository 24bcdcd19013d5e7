import { describe, expect, test } from 'vitest'
import { startBrowserTests, textContentOf } from '../support/browser.ts'
import { expectAccessible, expectNoSidewaysScroll, layoutShift } from '../support/pages.ts'
import { openState, STATES, usersOf } from '../support/states.ts'

const { server, browser, open } = startBrowserTests()

const PAGES = ['/', '/api', '/recipes', '/app/keys', '/about']
/** `tests/long/states.test.ts` covers the other combinations, for all states of the pages. */
const VIEWPORTS = [
  { viewport: 'dark desktop', width: 1_440, colorScheme: 'dark' as const },
  { viewport: 'light phone', width: 360, colorScheme: 'light' as const },
]
const VIEWS = PAGES.flatMap((path) => VIEWPORTS.map((viewport) => ({ path, ...viewport })))

describe('every page', () => {
  test.each(VIEWS)('$path, $viewport: no accessibility violations, no horizontal scrolling', async (view) => {
    const { path, width, colorScheme } = view
    const { page, close } = await open(path, {
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: 'reduce',
    })
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await close()
  })

  test.each(PAGES)('%s: text of twice the size is neither cut off nor wider than the window', async (path) => {
    const { page, close } = await open(path, { viewport: { width: 1_280, height: 844 } })
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await expectNoSidewaysScroll(page)
      const clipped = await page.locator('h1, h2, h3, p, li, dt, dd, label, button, td, th').evaluateAll((parts) =>
        parts
          .filter((part) => !part.closest('.visually-hidden, .table-frame, .virtual, pre'))
          .filter((part) => getComputedStyle(part).overflow !== 'visible' && part.scrollWidth > part.clientWidth)
          .map(({ textContent }) => textContent),
      )
      expect(clipped).toEqual([])
    }
    await page.emulateMedia({ media: 'print' })
    const cut = await page
      .locator('pre')
      .evaluateAll((parts) =>
        parts.filter((part) => part.scrollWidth > part.clientWidth).map(({ textContent }) => textContent),
      )
    expect(cut, 'cut off on paper').toEqual([])
    await close()
  })

  test.each(PAGES)(
    '%s follows its content security policy, sets no cookies, and does not shift or animate',
    async (path) => {
      const { page, problems, close } = await open(path, { reducedMotion: 'reduce' })
      expect(problems).toEqual([])
      expect(await page.context().cookies()).toEqual([])
      expect(await layoutShift(page), 'layout shift while the page loads').toBeLessThan(0.01)
      const animated = () =>
        page.locator('*').evaluateAll((elements) =>
          elements
            .map((element) => getComputedStyle(element))
            .filter(
              ({ transitionDuration, animationDuration, scrollBehavior }) =>
                /[1-9]/.test(transitionDuration) || /[1-9]/.test(animationDuration) || scrollBehavior === 'smooth',
            )
            .map(({ transitionDuration, animationDuration }) => `${transitionDuration} ${animationDuration}`),
        )
      // Try it shows that it is working, with a delay that is an animation, until it has its result.
      await expect.poll(animated, { message: 'animations although the user prefers reduced motion' }).toEqual([])
      await close()
    },
  )

  test('with forced colours, what is chosen looks different from the rest', async () => {
    const { page, close } = await open('/', { forcedColors: 'active' })
    await page.getByRole('tab', { name: 'CSV rows' }).click()
    await page.locator('.try-columns .chip-on').waitFor()
    const backgroundOf = (selector: string): Promise<string> =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor)
    for (const [chosen, other] of [
      ['.tab[aria-selected=true]', '.tab[aria-selected=false]'],
      ['.chip-on', '.chip:not(.chip-on)'],
      ['.site-nav a[aria-current]', '.site-nav a:not([aria-current])'],
    ] as const)
      expect(await backgroundOf(chosen), chosen).not.toBe(await backgroundOf(other))
    await page.getByRole('grid').focus()
    await page.keyboard.press('ArrowDown')
    const outline = page.locator('.entries tr[aria-selected=true]')
    expect(await outline.evaluate((row) => getComputedStyle(row).outlineStyle)).toBe('solid')
    await close()
  })

  test.each(PAGES)('%s can be read without JavaScript', async (path) => {
    const { page, close } = await open(path, { javaScriptEnabled: false })
    expect(await page.locator('nav[aria-label=Pages] a').count()).toBe(4)
    expect((await textContentOf(page.locator('main'))).length).toBeGreaterThan(0)
    await close()
  })

  test('the first link that the Tab key reaches skips the header', async () => {
    const { page, close } = await open('/')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('#main:focus').waitFor()
    await close()
  })

  test('the focus stays near a control that disappears or is disabled when it is pressed', async () => {
    const { page, close } = await open('/')
    const press = async (name: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    await page.getByLabel('Your list: type, paste or drop a file').fill('id,name,city\n1,a,x\n2,b,y')
    await press('Read it as CSV rows')
    await page.getByRole('tabpanel', { name: 'CSV rows' }).and(page.locator(':focus')).waitFor()

    await page.getByRole('grid', { name: 'Kept' }).focus()
    await page.keyboard.press('Enter')
    await press('Next')
    await page.getByRole('dialog', { name: 'Row 2' }).and(page.locator(':focus')).waitFor()
    await close()
  })
})

test('keys and calls on a dark phone: no accessibility violations, no horizontal scrolling', async () => {
  const state = STATES.find(({ name }) => name === 'keys')
  if (state === undefined) throw new Error('no such state')
  const users = await usersOf(server())
  const options = {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark' as const,
    reducedMotion: 'reduce' as const,
  }
  const { page, problems, close } = await openState({ browser: browser(), server: server(), users }, state, options)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  expect(problems).toEqual([])
  await close()
})

test.each(['gzip', 'gzip, deflate, br'])(
  'the home page takes less than 100 KB over the wire with %s',
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
