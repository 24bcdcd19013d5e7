import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'

/** Debian's Chromium, without the talk to the outside that it starts by itself. */
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

/** A page that somebody looks at, and what it did meanwhile. */
export interface Look {
  readonly page: Page
  /** Every request that left the page, as `METHOD address`. */
  readonly requests: string[]
  /** What the console complained of: violations of the policy, errors of scripts, files that are missing. */
  readonly complaints: string[]
  close(): Promise<void>
}

/** Opens a page with a profile of its own and waits until it has nothing more to load. */
export async function look(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Look> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, ...options })
  // No test depends on being fast; its own time limit is vitest's.
  context.setDefaultTimeout(110_000)
  const page = await context.newPage()
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await page.goto(address, { waitUntil: 'networkidle' })
  return { page, requests, complaints, close: () => context.close() }
}

/** All words inside an element, as they stand in the document. */
export async function wordsOf(element: Locator): Promise<string> {
  return (await element.textContent()) ?? ''
}
