import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'

/** A page in its own browser context, and all problems that occurred in it. */
export interface MonitoredPage {
  readonly page: Page
  /** Script errors, violations of the content security policy, and requests to other servers. */
  readonly problems: string[]
  close(): Promise<void>
}

/**
 * Opens a page that is monitored: tests end with `expect(problems).toEqual([])`.
 * @param origin the only server that the page may talk to
 */
export async function monitoredPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions,
): Promise<MonitoredPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  // No test may depend on speed; only vitest's own time limit applies.
  context.setDefaultTimeout(110_000)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  page.on('console', (message) => {
    // Pages expect refused requests, but Chromium reports them as errors.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      problems.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && url.protocol !== 'data:' && url.protocol !== 'blob:')
      problems.push(`request: ${request.url()}`)
  })
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  return { page, problems, close: () => context.close() }
}

/**
 * Checks the page with an accessibility checker. Only violations are collected, since the rest takes most of the time.
 */
export function expectAccessible(page: Page): Promise<void> {
  return expectNoViolations(page)
}

/** Only checks colours, for a page whose other properties were checked in another colour scheme. */
export function expectContrast(page: Page): Promise<void> {
  return expectNoViolations(page, { runOnly: ['color-contrast'] })
}

async function expectNoViolations(page: Page, options: Parameters<AxeBuilder['options']>[0] = {}): Promise<void> {
  const checker = new AxeBuilder({ page }).options({ resultTypes: ['violations'], ...options }).setLegacyMode()
  const { violations } = await checker.analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
}

/** Checks that the page is not wider than its window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [page_, window_] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(page_).toBeLessThanOrEqual(window_ ?? 0)
}

/** How much content moved without user action, as browsers measure it (cumulative layout shift). */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const sum = (entries: PerformanceEntryList) =>
          entries.reduce((total, entry) => total + Number(Reflect.get(entry, 'value')), 0)
        let shifted = 0
        const observer = new PerformanceObserver((list) => {
          shifted += sum(list.getEntries())
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        // Buffered entries are delivered in a separate task; after two frames, everything painted before has been
        // counted.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => setTimeout(() => resolve(shifted + sum(observer.takeRecords())))),
        )
      }),
  )
}
