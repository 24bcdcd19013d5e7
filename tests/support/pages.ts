import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'

/** A page in a browser of its own, and whatever went wrong in it. */
export interface WatchedPage {
  readonly page: Page
  /** Errors of scripts, breaches of the pages' policy, and requests to any other server. */
  readonly troubles: string[]
  close(): Promise<void>
}

/**
 * Opens a page that is watched: a test ends with `expect(troubles).toEqual([])`.
 * @param origin the only server that it may speak to
 */
export async function watchedPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  // No test depends on being fast; its own time limit is vitest's.
  context.setDefaultTimeout(110_000)
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(`script: ${error.message}`))
  page.on('console', (message) => {
    // A refused request is an answer that pages reckon with; Chromium reports it as an error all the same.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      troubles.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && url.protocol !== 'data:' && url.protocol !== 'blob:')
      troubles.push(`request: ${request.url()}`)
  })
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  return { page, troubles, close: () => context.close() }
}

/** Nothing that an accessibility checker objects to. Only violations are written up: the rest takes it most of the time. */
export async function expectAccessible(page: Page): Promise<void> {
  const checker = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
  const { violations } = await checker.analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
}

/** The page is not wider than its window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [page_, window_] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(page_).toBeLessThanOrEqual(window_ ?? 0)
}

/** By how much things moved in the page that the reader did not move, as browsers count it (cumulative layout shift). */
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
        // What was buffered is handed over in a task of its own, and what was drawn before has been counted after two frames.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => setTimeout(() => resolve(shifted + sum(observer.takeRecords())))),
        )
      }),
  )
}
