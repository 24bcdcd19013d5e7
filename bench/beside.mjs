/*
 * npm run bench -- beside
 *
 * Small exact requests on an idle server; alongside two callers that send the largest exact lists one after another;
 * and alongside the two longest fuzzy requests that a plan allows: 50,000 rows of 20 random letters at 0.5, where every
 * pair has to be compared. Finally, many callers that send 5 MB at the same moment.
 */
import { BODIES } from './support/exact-lists.mjs'
import { makeKeys } from './support/keys.mjs'
import { startServer } from './support/server.mjs'
import { head, machine, row } from './support/table.mjs'
import { peakOf, sizeOf } from './support/wrk.mjs'

const CALLS = 2_000
/** A key's burst window allows 300 requests a minute on Pro. */
const CALLS_A_KEY = 250
/** As many large requests as an account's monthly units cover. */
const LARGE_A_KEY = 6
const LARGE_KEYS = 30
const CROWD = 64

const server = await startServer()
const SMALL = JSON.stringify({ mode: 'lines', data: 'a\nb\na\nc\nb' })

/** Sends small requests one after another; returns the time that each took, in milliseconds, sorted. */
async function timeSmallRequests(tokens) {
  const times = []
  for (let number = 0; number < CALLS; number++) {
    const start = performance.now()
    const status = await server.call('/api/dedupe', tokens[Math.floor(number / CALLS_A_KEY)], SMALL)
    if (status !== 200) throw new Error(`a small request got ${status}`)
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)
}

/** The body of the longest fuzzy request that a plan allows. */
function longestFuzzyBody(seed) {
  let state = seed
  const letter = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return String.fromCharCode(97 + ((state >>> 8) % 26))
  }
  const row = () => Array.from({ length: 20 }, letter).join('')
  const data = Array.from({ length: 50_000 }, row).join('\n')
  return JSON.stringify({ mode: 'rows', data, options: { fuzzy: true, threshold: 0.5, hasHeader: false } })
}

const at = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(2)
const line = (name, times) => row(name, at(times, 0.5), at(times, 0.99), at(times, 1))
const keysFor = (group, keys = CALLS / CALLS_A_KEY) => makeKeys(server.databaseUrl, { accounts: keys, group })

/** Small requests while two callers send one large list after another. */
async function besideExact() {
  const body = Buffer.from(BODIES['rows by key']())
  let isOver = false
  let large = 0
  const callers = ['one', 'two'].map(async (name) => {
    for (const token of await keysFor(name, LARGE_KEYS)) {
      for (let call = 0; call < LARGE_A_KEY && !isOver; call++) {
        const status = await server.call('/api/dedupe', token, body)
        if (status !== 200) throw new Error(`a large request got ${status}`)
        large += 1
      }
    }
  })
  await new Promise((later) => setTimeout(later, 1_000))
  const before = large
  const times = await timeSmallRequests(await keysFor('exact'))
  line(`beside two callers of 5 MB of rows by key (${large - before} meanwhile)`, times)
  isOver = true
  await Promise.all(callers)
}

async function besideFuzzy() {
  let running = 2
  const ended = (await keysFor('fuzzy', running)).map(async (token, number) => {
    const status = await server.call('/api/dedupe', token, longestFuzzyBody(number + 1))
    running -= 1
    return status
  })
  await new Promise((later) => setTimeout(later, 1_000))
  const times = await timeSmallRequests(await keysFor('beside'))
  line(`beside two of the longest fuzzy requests (${running} still under way at the end)`, times)
  return await Promise.all(ended)
}

async function crowd() {
  const body = Buffer.from(BODIES['rows by key']())
  const tokens = await keysFor('crowd', CROWD)
  const before = sizeOf(server.pid).rssMB
  const start = performance.now()
  const statuses = await Promise.all(tokens.map((token) => server.call('/api/dedupe', token, body)))
  const seconds = ((performance.now() - start) / 1_000).toFixed(1)
  const count = (status) => statuses.filter((one) => one === status).length
  const peak = peakOf(server.pid)
  console.log(
    `\n${CROWD} callers of ${(body.length / 1e6).toFixed(1)} MB at once: ${count(200)} served, ${count(503)} told to retry later` +
      ` (BODY_MEMORY_MB), ${seconds} s; ${before} MB before, ${peak} MB at most, ${sizeOf(server.pid).rssMB} MB after`,
  )
}

try {
  console.log(`${machine()}; ${CALLS} small requests a row\n`)
  head('server', 'p50 ms', 'p99 ms', 'most ms')
  await timeSmallRequests(await keysFor('warm'))
  line('idle', await timeSmallRequests(await keysFor('idle')))
  await besideExact()
  const statuses = await besideFuzzy()
  await crowd()
  console.log(`the fuzzy requests ended with ${statuses.join(' and ')}`)
} finally {
  await server.stop()
}
