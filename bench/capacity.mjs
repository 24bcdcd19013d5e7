// The capacity of one instance: small requests and requests of 5 MB per second, by cores and database, and its memory.
// `npm run bench -- capacity`; needs Debian's wrk and postgresql, and takes about three minutes. wrk runs on the same
// machine: if the instance has all cores, wrk takes part of one of them.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { makeKeys } from './support/keys.mjs'
import { startServer } from './support/server.mjs'
import { head, machine, row } from './support/table.mjs'
import { requireWrk, runWrk, wrkScript } from './support/wrk.mjs'

const SECONDS = 8
const WARM_UP_SECONDS = 2
/** Enough accounts and keys: an account has 300,000 units a month, and a body of 5 MB takes 49,000 of them. */
const ACCOUNTS = { small: { accounts: 1_000, keys: 4_000 }, large: { accounts: 400, keys: 400 } }
const SMALL = JSON.stringify({ mode: 'lines', data: Array.from({ length: 7 }, (_, i) => `line ${i % 5}`).join('\n') })
const LARGE = JSON.stringify({ mode: 'lines', data: largeLines() })

/** 49,000 lines of 104 characters, half of them duplicates: a request on Pro has at most 50,000 lines and 5 MB. */
function largeLines() {
  return Array.from({ length: 49_000 }, (_, i) => `${i % 24_500}`.padStart(104, 'customer ')).join('\n')
}

requireWrk()
const folder = mkdtempSync(join(tmpdir(), 'keepfirst-capacity-'))
const { startPostgres } = await tsImport('../tests/support/postgres.ts', import.meta.url)
const postgres = await startPostgres({ durable: true })

try {
  console.log(`${machine()}; ${SECONDS} s a figure\n`)
  head(
    'cores',
    'database',
    'small requests per second',
    'p99 ms',
    'MB of memory',
    '5 MB requests per second',
    'p99 ms',
    'MB of memory',
  )
  for (const cores of new Set([1, availableParallelism()])) {
    for (const store of ['SQLite', 'PostgreSQL']) await capacityRow(cores, store)
  }
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function capacityRow(cores, store) {
  const small = await measure(cores, store, { body: SMALL, connections: 64, ...ACCOUNTS.small })
  const large = await measure(cores, store, { body: LARGE, connections: 8, ...ACCOUNTS.large })
  row(cores, store, ...small, ...large)
}

/** Answers per second, the 99th percentile of their time, and the instance's peak memory. */
async function measure(cores, store, { body, connections, ...amount }) {
  const name = randomBytes(4).toString('hex')
  const databaseUrl = store === 'SQLite' ? `sqlite:${join(folder, `${name}.db`)}` : await postgres.createDatabase()
  const tokens = await makeKeys(databaseUrl, amount)
  const AUTH_SECRET = randomBytes(32).toString('hex')
  const server = await startServer({ DATABASE_URL: databaseUrl, AUTH_SECRET, DRAIN_SECONDS: '0' })
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', `0-${cores - 1}`, String(server.pid)], {
    stdio: 'ignore',
  })
  const run = { connections, script: wrkScript(folder, body, tokens) }
  const url = `${server.baseUrl}/api/dedupe`
  await runWrk(url, { ...run, seconds: WARM_UP_SECONDS })
  const { requests, seconds, p99Ms, refused, failed } = await runWrk(url, { ...run, seconds: SECONDS })
  const peakMB = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'latin1'))?.[1]) / 1_024
  await server.stop()
  if (refused + failed > 0) throw new Error(`${refused} refused, ${failed} failed`)
  return [(requests / seconds).toFixed(body === SMALL ? 0 : 1), Math.round(p99Ms), Math.round(peakMB)]
}
