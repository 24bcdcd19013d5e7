// More load than the machine can handle, for half a minute: 512 connections with large, small and fuzzy requests, with
// callers that send slowly and callers that do not read, and one caller with small requests that is measured before,
// during and after. `npm run bench -- overload [SECONDS]`
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { makeKeys } from './support/keys.mjs'
import { startServer } from './support/server.mjs'
import { head, machine, row } from './support/table.mjs'

const SECONDS = Number(process.argv[3] ?? 30)
const QUIET_SECONDS = 5
const SETTLED_MS = 2_000
/** Enough keys that none exceeds its monthly units or its requests per minute. */
const KEYS_OF_CALLER = 8

const lines = (bytes) => JSON.stringify({ mode: 'lines', data: `${'x'.repeat(1_023)}\n`.repeat(bytes / 1_024) })
const names = Array.from({ length: 20_000 }, (_, i) => `John ${(i * 2_654_435_761) % 1_000_003} Smith`).join('\n')
const KINDS = [
  { name: 'small', connections: 128, body: JSON.stringify({ mode: 'lines', data: 'a\nb\na' }) },
  { name: '100 KB', connections: 128, body: lines(100 * 1_024) },
  { name: '4 MB', connections: 64, body: lines(4 * 1_024 * 1_024) },
  {
    name: 'fuzzy, 20,000 rows',
    connections: 32,
    body: JSON.stringify({ mode: 'rows', data: names, options: { fuzzy: true } }),
  },
  { name: '4 MB, sent at 64 KB a second', connections: 80, body: lines(4 * 1_024 * 1_024), sendsSlowly: true },
  { name: '4 MB, answer not read', connections: 80, body: lines(4 * 1_024 * 1_024), readsNothing: true },
]

let isOver = false
const counts = new Map(KINDS.map(({ name }) => [name, new Map()]))

/** A caller that keeps sending requests, on one connection at a time. */
async function keepCalling(port, { name, body, sendsSlowly, readsNothing }, tokens) {
  let sent = 0
  const request = () => {
    const token = tokens[sent++ % tokens.length]
    const head = `POST /api/dedupe HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n`
    return [Buffer.from(head), body]
  }
  while (!isOver) {
    await new Promise((done) => {
      const socket = connect({ port, host: '127.0.0.1' })
      const end = (status) => {
        counts.get(name).set(status, (counts.get(name).get(status) ?? 0) + 1)
        if (status === 'closed' || isOver || sendsSlowly || readsNothing) {
          socket.destroy()
          done()
        } else send()
      }
      let left = 0
      const send = () => {
        left = -1
        const [head, bytes] = request()
        socket.write(head)
        if (sendsSlowly) void sendSlowly(socket, bytes)
        else socket.write(bytes)
        if (readsNothing) setTimeout(() => end('not read'), 10_000)
      }
      socket.on('error', () => {})
      socket.once('close', () => done())
      if (readsNothing) socket.pause()
      else {
        socket.on('data', (chunk) => {
          if (left < 0) {
            const text = chunk.toString('latin1')
            const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
            left = text.indexOf('\r\n\r\n') + 4 + length
            socket.status = text.slice(9, 12)
          }
          left -= chunk.length
          if (left <= 0) end(socket.status)
        })
      }
      send()
    })
  }
}

async function sendSlowly(socket, bytes) {
  for (let at = 0; at < bytes.length && !socket.destroyed && !isOver; at += 65_536) {
    socket.write(bytes.subarray(at, at + 65_536))
    await new Promise((later) => setTimeout(later, 1_000))
  }
}

/** Sends small requests one after another; returns percentiles of their time in milliseconds, and their statuses. */
async function probe(server, tokens, until) {
  const times = []
  const statuses = new Map()
  for (let i = 0; performance.now() < until(); i += 1) {
    const startedAt = performance.now()
    const status = await server.call('/api/dedupe', tokens[i % tokens.length], KINDS[0].body)
    times.push(performance.now() - startedAt)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  times.sort((a, b) => a - b)
  const part = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))]?.toFixed(1)
  return { count: times.length, p50: part(0.5), p99: part(0.99), worst: part(1), statuses: formatCounts(statuses) }
}

const formatCounts = (statuses) => [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
const memoryOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_024
const within = (ms) => {
  const end = performance.now() + ms
  return () => end
}

/** The 512 callers, in a separate thread so that they do not delay the measured one. */
async function startCallers({ port, tokens }) {
  parentPort.once('message', () => {
    isOver = true
    parentPort.postMessage([...counts].map(([name, statuses]) => [name, formatCounts(statuses)]))
  })
  const next = tokens.values()
  const some = () => Array.from({ length: KEYS_OF_CALLER }, () => next.next().value)
  for (const kind of KINDS) {
    const body = Buffer.from(kind.body)
    for (let i = 0; i < kind.connections; i += 1) void keepCalling(port, { ...kind, body }, some())
  }
}

async function measure(server) {
  const keys = await makeKeys(server.databaseUrl, { accounts: 512 * KEYS_OF_CALLER + 512 })
  const probing = keys.slice(-512)
  await probe(server, probing, within(2_000))
  const before = await probe(server, probing, within(QUIET_SECONDS * 1_000))
  const memoryBefore = memoryOf(server.pid)
  let most = memoryBefore
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(server.pid))
  }, 200)
  const { port } = new URL(server.baseUrl)
  const others = new Worker(import.meta.filename, { workerData: { port: Number(port), tokens: keys } })
  const during = await probe(server, probing, within(SECONDS * 1_000))
  clearInterval(watch)
  const answered = once(others, 'message')
  others.postMessage('end')
  const [answers] = await answered
  await others.terminate()
  await new Promise((later) => setTimeout(later, SETTLED_MS))
  const after = await probe(server, probing, within(QUIET_SECONDS * 1_000))

  console.log(`${machine()}; ${SECONDS} s of 512 connections\n`)
  head('one caller with small requests', 'per second', 'p50 ms', 'p99 ms', 'worst ms', 'answers')
  const line = (what, { count, p50, p99, worst, statuses }, seconds) =>
    row(what, Math.round(count / seconds), p50, p99, worst, statuses)
  line('before', before, QUIET_SECONDS)
  line('during', during, SECONDS)
  line(`${SETTLED_MS / 1_000} s after`, after, QUIET_SECONDS)
  console.log()
  head('the others', 'connections', 'answers')
  for (const { name, connections } of KINDS) row(name, connections, new Map(answers).get(name))
  console.log(`\nMemory: ${Math.round(memoryBefore)} MB before, ${Math.round(most)} MB at most.`)
}

if (isMainThread) {
  const server = await startServer()
  try {
    await measure(server)
  } finally {
    await server.stop()
  }
} else await startCallers(workerData)
