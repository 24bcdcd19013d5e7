/*
 * npm run bench -- beside
 *
 * Small exact requests on a server that does nothing else, then beside the two longest fuzzy requests that a
 * plan allows: 50,000 rows of 20 random letters at 0.5, where every pair has to be looked at.
 */
import { startServer } from './support/server.mjs'
import { head, machine, row } from './support/table.mjs'

const CALLS = 2_000
/** A key's burst window takes 300 requests a minute on Pro. */
const CALLS_A_KEY = 250

const server = await startServer()
const SMALL = JSON.stringify({ mode: 'lines', data: 'a\nb\na\nc\nb' })

/** Milliseconds of each of so many small requests, one after the other. */
async function smallOnes(tokens) {
  const times = []
  for (let number = 0; number < CALLS; number++) {
    const start = performance.now()
    const status = await server.call('/api/dedupe', tokens[Math.floor(number / CALLS_A_KEY)], SMALL)
    if (status !== 200) throw new Error(`a small request got ${status}`)
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)
}

function longest(seed) {
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

try {
  const keysFor = (account) => Array.from({ length: CALLS / CALLS_A_KEY }, () => server.makeKey(account))
  const rounds = {
    warm: keysFor('warm@example.com'),
    idle: keysFor('idle@example.com'),
    beside: keysFor('beside@example.com'),
  }
  const fuzzy = [server.makeKey('one@example.com'), server.makeKey('two@example.com')]
  console.log(`${machine()}; ${CALLS} small requests a row\n`)
  head('server', 'p50 ms', 'p99 ms', 'most ms')
  await smallOnes(rounds.warm)
  line('idle', await smallOnes(rounds.idle))
  let running = fuzzy.length
  const ended = fuzzy.map(async (token, number) => {
    const status = await server.call('/api/dedupe', token, longest(number + 1))
    running -= 1
    return status
  })
  await new Promise((later) => setTimeout(later, 1_000))
  const times = await smallOnes(rounds.beside)
  line(`beside two of the longest fuzzy requests (${running} still under way at the end)`, times)
  console.log(`\nthe fuzzy requests ended with ${(await Promise.all(ended)).join(' and ')}`)
} finally {
  await server.stop()
}
