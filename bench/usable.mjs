// How soon a page becomes usable on a processor slowed down fourfold, and how much is transferred with gzip: npm run
// bench -- usable. Median of five runs over a local connection, so that only the processor matters.
import { chromium } from 'playwright-core'
import { startServer } from './support/server.mjs'
import { head, machine, row } from './support/table.mjs'

const RUNS = 5
const SLOWED = 4
const PAGES = ['/', '/api', '/recipes', '/about', '/app/keys']

const server = await startServer()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
console.log(machine())
head('page', 'KB with gzip', 'ms until usable')
for (const path of PAGES) {
  const loads = []
  for (let run = 0; run < RUNS; run++) loads.push(await load(path))
  loads.sort((a, b) => a.usableMs - b.usableMs)
  const { bytes, usableMs } = loads[Math.floor(RUNS / 2)]
  row(path, (bytes / 1_024).toFixed(1), Math.round(usableMs))
}
await browser.close()
await server.stop()

async function load(path) {
  const context = await browser.newContext({ extraHTTPHeaders: { 'Accept-Encoding': 'gzip' } })
  const page = await context.newPage()
  const sizes = []
  page.on('requestfinished', (request) => sizes.push(request.sizes()))
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  // Once all islands are hydrated, every user action takes effect.
  await page.addInitScript(() => {
    new MutationObserver((_, watcher) => {
      if (document.body?.dataset.hydrated === undefined) return
      watcher.disconnect()
      document.documentElement.dataset.usableMs = String(performance.now())
    }).observe(document, { subtree: true, childList: true, attributes: true })
  })
  await page.goto(server.baseUrl + path, { waitUntil: 'networkidle' })
  await page.waitForFunction(() => document.documentElement.dataset.usableMs !== undefined)
  const usableMs = Number(await page.evaluate(() => document.documentElement.dataset.usableMs))
  const bytes = (await Promise.all(sizes)).reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
  await context.close()
  return { bytes, usableMs }
}
