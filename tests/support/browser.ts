import { type Browser, type BrowserContextOptions, chromium, type Locator } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type WatchedPage, watchedPage } from './pages.ts'
import { type RunningServer, removeFolder, type ServerOptions, startServer } from './server.ts'

/** Debian's Chromium, without the network traffic that it starts by itself. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
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

/** A page that is watched from its first byte on. */
export interface Look extends WatchedPage {
  /** Every request that was made, as `METHOD address`. */
  readonly requests: string[]
}

/** A server and a browser for the tests in a file, and the server's pages in that browser. */
export function serveAndLook(options: ServerOptions = {}) {
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
    look: (path: string, options?: BrowserContextOptions) =>
      look(started().browser, started().server.baseUrl + path, options),
  }
}

/** Opens an address with a fresh profile and waits until the page has nothing more to load. */
export async function look(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Look> {
  const watched = await watchedPage(browser, new URL(address).origin, options)
  const requests: string[] = []
  watched.page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
  await watched.page.goto(address, { waitUntil: 'networkidle' })
  return { ...watched, requests }
}

/** The whole text of an element, as it is in the document. */
export async function wordsOf(element: Locator): Promise<string> {
  return (await element.textContent()) ?? ''
}
