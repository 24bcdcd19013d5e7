// Runs Lighthouse with its defaults (a phone on a slow network) on every page: npm run bench -- lighthouse [PATH…].
// Median of three runs. The exit code is 1 if a page misses the scores that we promise. The figures are only meaningful
// on an idle machine.
import { randomUUID } from 'node:crypto'
import { startServer } from './support/server.mjs'
import { head, machine, row } from './support/table.mjs'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const { default: lighthouse } = await import('lighthouse')
const { launch } = await import('chrome-launcher')

const RUNS = 3
const PROMISED = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 }
const TIMES = { 'first-contentful-paint': 'FCP', 'largest-contentful-paint': 'LCP', 'total-blocking-time': 'TBT' }
const SIGNED_IN = '/app/keys, signed in'

const paths = process.argv.slice(3)
const pages = paths.length > 0 ? paths : ['/', '/api', '/recipes', '/about', '/app/keys', SIGNED_IN]

const server = await startServer()
const chrome = await launch({ chromePath: CHROMIUM, chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'] })
try {
  console.log(`${machine()}, Lighthouse 12, mobile; promised ${Object.values(PROMISED).join(', ')}`)
  head('page', ...Object.keys(PROMISED), ...Object.values(TIMES))
  const short = []
  for (const page of pages) if (!(await measure(page))) short.push(page)
  if (short.length > 0) {
    console.error(`short of what is promised: ${short.join(', ')}`)
    process.exitCode = 1
  }
} finally {
  await chrome.kill()
  await server.stop()
}

/** Prints a page's row; returns whether the page reaches the promised scores. */
async function measure(page) {
  const reports = []
  for (let run = 0; run < RUNS; run++) reports.push(await report(page))
  reports.sort((a, b) => a.categories.performance.score - b.categories.performance.score)
  const { categories, audits } = reports[Math.floor(RUNS / 2)]
  const scores = Object.keys(PROMISED).map((name) => Math.round(categories[name].score * 100))
  row(page, ...scores, ...Object.keys(TIMES).map((name) => audits[name].displayValue))
  return Object.values(PROMISED).every((promised, i) => scores[i] >= promised)
}

async function report(page) {
  const headers = page === SIGNED_IN ? { extraHeaders: { Cookie: await signIn() } } : {}
  const address = server.baseUrl + page.replace(/,.*/, '')
  const { lhr } = await lighthouse(address, { port: chrome.port, logLevel: 'error', ...headers })
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message)
  return lhr
}

/** The session of a new account, as a browser would send it. */
async function signIn() {
  const body = JSON.stringify({ email: `${randomUUID()}@example.com`, password: randomUUID() })
  const headers = { 'content-type': 'application/json', origin: server.baseUrl }
  const post = (action) => fetch(`${server.baseUrl}/app/auth/${action}/email`, { method: 'POST', headers, body })
  await post('sign-up')
  const answer = await post('sign-in')
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}
