// How many small requests per second are served, each charged on disk before it is answered, compared with a bare
// server that echoes and one that writes a line per request to disk. `npm run bench -- throughput [growth |
// neighbour | processes]`; needs Debian's wrk and postgresql. `growth` draws docs/images/throughput.svg. BENCH_SECONDS: duration of
// a row. The disk matters most, so the temporary folder (TMPDIR) should be where the product's database would be.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { makeKeys } from './support/keys.mjs'
import { plot } from './support/plot.mjs'
import { startServer } from './support/server.mjs'
import { head, machine, row } from './support/table.mjs'
import { cpuOf, cpuOfFamily, requireWrk, runWrk, sizeOf, wrkScript } from './support/wrk.mjs'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8)
const WARM_UP_SECONDS = Math.min(2, SECONDS)
const LINES = 7
const BODY = JSON.stringify({
  mode: 'lines',
  data: Array.from({ length: LINES }, (_, i) => `line ${i % 5}`).join('\n'),
})
const ONE_LINE = JSON.stringify({ mode: 'lines', data: 'a' })
/** Enough keys: a key has 300 requests a minute, an account 300,000 units a month. */
const KEYS = 4_000
const FLOOR_PORT = 31_000 + (process.pid % 1_000)
const PROXY_PORT = FLOOR_PORT + 1_000
const METRICS_PORT = FLOOR_PORT + 500
const PRODUCT_PORT = FLOOR_PORT + 2_000

const whole = (figure) => Math.round(figure).toLocaleString('en-US')

requireWrk()
const folder = mkdtempSync(join(tmpdir(), 'keepfirst-throughput-'))
const children = []
let databases = 0
const { startPostgres } = await tsImport('../tests/support/postgres.ts', import.meta.url)
const postgres = await startPostgres({ durable: true })
const [{ data_directory: postgresFiles }] = await postgres.query('show data_directory')
const postgresPid = Number(readFileSync(join(postgresFiles, 'postmaster.pid'), 'utf8').split('\n')[0])
/** Columns that all tables of this benchmark share. */
const FIGURES = [
  'requests per second',
  'p50 ms',
  'p99 ms',
  'µs main thread',
  'µs other threads',
  'µs PostgreSQL',
  'commits per second',
]

try {
  console.log(`${machine()}; ${SECONDS} s a row\n`)
  await { growth, neighbour, processes, compare }[process.argv[3] ?? 'compare']()
} finally {
  for (const child of children) child.kill()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Everything side by side, with 10 and with 64 connections. */
async function compare() {
  head('server', 'connections', ...FIGURES)
  const accounts = { accounts: KEYS / 4, body: BODY }
  for (const connections of [10, 64]) {
    await floorRow('bare echo', connections)
    await floorRow('a line on disk', connections, join(folder, 'lines'))
    await productRow('Keepfirst, SQLite', connections, {
      ...accounts,
      databaseUrl: `sqlite:${join(folder, `${connections}.db`)}`,
    })
    await productRow('Keepfirst, PostgreSQL', connections, {
      ...accounts,
      databaseUrl: await postgres.createDatabase(),
    })
  }
}

/** More connections, more accounts, one hot account, a network in between. */
async function growth() {
  head('database', 'connections', ...FIGURES, 'MB', 'descriptors')
  const [throughput, latency] = [{}, {}]
  for (const connections of [1, 4, 16, 64, 256, 1_024]) {
    for (const store of ['SQLite', 'PostgreSQL']) {
      const about = { accounts: KEYS / 4, body: BODY, databaseUrl: await urlOf(store), isLong: true }
      const { requests, seconds, p99Ms } = await productRow(store, connections, about)
      throughput[store] = [...(throughput[store] ?? []), [connections, requests / seconds]]
      latency[store] = [...(latency[store] ?? []), [connections, p99Ms]]
    }
  }
  const panels = [
    { title: 'requests per second', curves: throughput },
    { title: '99th percentile of the response time, ms', curves: latency },
  ]
  writeFileSync(join(import.meta.dirname, '../docs/images/throughput.svg'), plot(panels))
  for (const accounts of [1, 100, 100_000]) {
    for (const store of ['SQLite', 'PostgreSQL']) {
      const name = `${store}, ${counted(accounts)}`
      await productRow(name, 64, { accounts, body: ONE_LINE, databaseUrl: await urlOf(store), isLong: true })
    }
  }
  for (const delayMs of [2, 20]) {
    for (const accounts of [1, KEYS / 4]) {
      const databaseUrl = await behindDelay(await urlOf('PostgreSQL'), delayMs)
      await productRow(`PostgreSQL at ${delayMs} ms, ${counted(accounts)}`, 64, {
        accounts,
        body: ONE_LINE,
        databaseUrl,
        isLong: true,
      })
    }
  }
}

function counted(accounts) {
  return accounts === 1 ? '1 account' : `${accounts.toLocaleString('en-US')} accounts`
}

/** One connection of a quiet account, alone and beside an account that 64 connections keep busy. */
async function neighbour() {
  head('PostgreSQL at', 'hot account, per second', 'quiet neighbour alone, p50 ms', 'beside the hot one, p50 ms')
  for (const delayMs of [0, 2, 20]) {
    const direct = await urlOf('PostgreSQL')
    const databaseUrl = delayMs === 0 ? direct : await behindDelay(direct, delayMs)
    const [hot, quiet] = await Promise.all(['hot', 'quiet'].map((group) => scriptFor(group, databaseUrl)))
    const server = await startProduct(databaseUrl)
    const url = `${server.baseUrl}/api/dedupe`
    await runWrk(url, { connections: 64, seconds: WARM_UP_SECONDS, script: hot })
    const alone = await runWrk(url, { connections: 1, seconds: SECONDS, script: quiet })
    const [crowd, beside] = await Promise.all([
      runWrk(url, { connections: 64, seconds: SECONDS, script: hot }),
      runWrk(url, { connections: 1, seconds: SECONDS, script: quiet }),
    ])
    const perSecond = whole(crowd.requests / crowd.seconds)
    row(`${delayMs} ms`, perSecond, alone.p50Ms.toFixed(1), beside.p50Ms.toFixed(1))
    await server.stop()
  }
}

/** 64 connections to one server, or divided between two with one database: is a second event loop worth it? */
async function processes() {
  head('processes', 'requests per second', 'p50 ms', 'p99 ms')
  for (const store of ['SQLite', 'PostgreSQL']) for (const count of [1, 2]) await processesRow(store, count)
}

async function processesRow(store, count) {
  const databaseUrl = await urlOf(store)
  const tokens = await makeKeys(databaseUrl, { accounts: KEYS / 4, keys: KEYS })
  const servers = []
  for (let i = 0; i < count; i++) servers.push(await startProduct(databaseUrl, i))
  const run = (seconds) =>
    Promise.all(
      servers.map(({ baseUrl }, i) => {
        const script = wrkScript(folder, BODY, tokens.slice((i * KEYS) / count, ((i + 1) * KEYS) / count))
        return runWrk(`${baseUrl}/api/dedupe`, { connections: 64 / count, seconds, script })
      }),
    )
  await run(WARM_UP_SECONDS)
  const runs = await run(SECONDS)
  const perSecond = runs.reduce((sum, { requests, seconds }) => sum + requests / seconds, 0)
  const slowest = (figure) => Math.max(...runs.map((each) => each[figure])).toFixed(1)
  row(`${count} on ${store}, ${64 / count} connections each`, whole(perSecond), slowest('p50Ms'), slowest('p99Ms'))
  for (const server of servers) await server.stop()
}

async function scriptFor(group, databaseUrl) {
  return wrkScript(folder, ONE_LINE, await makeKeys(databaseUrl, { accounts: 1, keys: KEYS, group }))
}

async function urlOf(store) {
  databases += 1
  return store === 'SQLite' ? `sqlite:${join(folder, `growth${databases}.db`)}` : postgres.createDatabase()
}

async function behindDelay(databaseUrl, delayMs) {
  const url = new URL(databaseUrl)
  const port = PROXY_PORT + databases
  await startScript('delay-proxy.mjs', port, url.port, delayMs)
  url.port = String(port)
  return url.href
}

/** Starts a script from `support/` that listens on the port in its first argument; resolves once it listens. */
async function startScript(name, port, ...args) {
  const file = join(import.meta.dirname, 'support', name)
  const child = spawn(process.execPath, [file, port, ...args].map(String), { stdio: 'inherit' })
  children.push(child)
  while (!(await listens(port))) await new Promise((later) => setTimeout(later, 50))
  return child
}

function listens(port) {
  return new Promise((done) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function floorRow(name, connections, file) {
  const server = await startScript('floor.mjs', FLOOR_PORT, ...(file === undefined ? [] : [file]))
  await measure(name, connections, {
    url: `http://127.0.0.1:${FLOOR_PORT}/`,
    pid: server.pid,
    script: wrkScript(folder, BODY, ['none']),
  })
  server.kill()
  await once(server, 'exit')
}

/** @param index tells servers apart that run at the same time */
function startProduct(databaseUrl, index = 0) {
  return startServer({
    PORT: String(PRODUCT_PORT + index),
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    METRICS_PORT: String(METRICS_PORT + index),
    DRAIN_SECONDS: '0',
  })
}

async function productRow(name, connections, { accounts, body, databaseUrl, isLong }) {
  const tokens = await makeKeys(databaseUrl, { accounts, keys: Math.max(KEYS, accounts) })
  const server = await startProduct(databaseUrl)
  const commits = async () => {
    const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
    return Number(/^keepfirst_ledger_commit_seconds_count (\d+)/m.exec(text)?.[1] ?? 0)
  }
  const script = wrkScript(folder, body, tokens)
  const url = `${server.baseUrl}/api/dedupe`
  const run = await measure(name, connections, { url, pid: server.pid, script, commits, isLong })
  await server.stop()
  return run
}

async function measure(name, connections, { url, pid, script, commits = async () => 0, isLong = false }) {
  await runWrk(url, { connections, seconds: WARM_UP_SECONDS, script })
  const before = { cpu: cpuOf(pid), database: cpuOfFamily(postgresPid), commits: await commits() }
  const run = await runWrk(url, { connections, seconds: SECONDS, script })
  const size = sizeOf(pid)
  const after = { cpu: cpuOf(pid), database: cpuOfFamily(postgresPid), commits: await commits() }
  if (run.refused + run.failed > 0) throw new Error(`${name}: ${run.refused} refused, ${run.failed} failed`)
  const spent = (thread) => (after.cpu.get(thread) - (before.cpu.get(thread) ?? 0)) / run.requests
  const main = spent(String(pid))
  const others = [...after.cpu.keys()].reduce((sum, thread) => sum + spent(thread), 0) - main
  row(
    name,
    connections,
    whole(run.requests / run.seconds),
    run.p50Ms.toFixed(1),
    run.p99Ms.toFixed(1),
    whole(main),
    whole(others),
    whole((after.database - before.database) / run.requests),
    whole((after.commits - before.commits) / run.seconds),
    ...(isLong ? [size.rssMB, size.descriptors] : []),
  )
  return run
}
