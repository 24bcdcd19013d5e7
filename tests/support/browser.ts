import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type MonitoredPage, monitoredPage } from './pages.ts'
import { type RunningServer, removeFolder, type ServerOptions, startServer } from './server.ts'
import { until } from './until.ts'

/** Debian's Chromium without its user interface, and without the network traffic that it starts by itself. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** An opened page that is monitored from the first byte. */
export interface OpenedPage extends MonitoredPage {
  /** All requests that the page has made, as `METHOD address`. */
  readonly requests: string[]
}

/** Starts a server and a browser for the tests of a file; `open` opens pages of the server in that browser. */
export function startBrowserTests(options: ServerOptions = {}) {
  let running: { readonly server: RunningServer; readonly browser: Browser } | undefined
  beforeAll(async () => {
    running = { server: await startServer(options), browser: await launchChromium() }
  })
  afterAll(async () => {
    await running?.browser.close()
    await running?.server.stop()
    if (running) await removeFolder(running.server.folder)
  })
  const started = () => {
    if (!running) throw new Error('the server has not started')
    return running
  }
  return {
    server: () => started().server,
    browser: () => started().browser,
    open: (path: string, options?: BrowserContextOptions) =>
      openPage(started().browser, started().server.baseUrl + path, options),
  }
}

/** Opens an address with a fresh profile and waits until the page has nothing more to load. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const monitored = await monitoredPage(browser, new URL(address).origin, options)
  const requests: string[] = []
  const loading = new Set<unknown>()
  monitored.page.on('request', (request) => {
    requests.push(`${request.method()} ${request.url()}`)
    loading.add(request)
  })
  monitored.page.on('requestfinished', (request) => loading.delete(request))
  monitored.page.on('requestfailed', (request) => loading.delete(request))
  await monitored.page.goto(address)
  if (options.javaScriptEnabled !== false) await settled(monitored.page, loading)
  return { ...monitored, requests }
}

/**
 * Waits until the page's script has run and nothing is loading any more. (Playwright's `networkidle` takes at least half
 * a second.)
 */
async function settled(page: Page, loading: ReadonlySet<unknown>): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('script[type=module]') === null || 'hydrated' in document.body.dataset,
  )
  do {
    await until('nothing was loading', () => loading.size === 0)
    // Anything that an answer triggers begins within two frames.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  } while (loading.size > 0)
}

/** The text content of an element. */
export async function textContentOf(element: Locator): Promise<string> {
  return (await element.textContent()) ?? ''
}
