/*
 * npm run bench -- validate [speed] [dead] [beside] [memory]
 *
 * Email validation with a name server on loopback, which is a separate process and the only one that is queried.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { MxResolver } from '../packages/service/dist/email-validation/mx-resolver.js'
import { keepfirst, PEERS } from './support/email-peers.mjs'
import { startMeasuring, stopMeasuring } from './support/event-loop.mjs'
import { startServer } from './support/server.mjs'
import { head, machine, row } from './support/table.mjs'

const ADDRESSES = 25_000
const DOMAINS = 5_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

/** A name server that answers MX queries after `delayMs`, and never for domains named dead…. */
async function nameServer(delayMs) {
  const file = join(import.meta.dirname, 'support/resolver.mjs')
  const child = spawn(process.execPath, ['--import', 'tsx', file, String(delayMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [address] = await once(child.stdout, 'data')
  return { address: String(address).trim(), stop: () => child.kill() }
}

/** Addresses with their domains interleaved; a different `round` has different domains of the same kind. */
function addresses({ count = ADDRESSES, domains = DOMAINS, deadPercent = 0, round = 0 } = {}) {
  return Array.from({ length: count }, (_, i) => {
    const domain = (i * 7_919) % domains
    return `person.${i}@${domain % 100 < deadPercent ? 'dead' : 'live'}${domain}.round${round}.example`
  })
}

/** The second of two runs in a separate process: the first one warms up compiled code and connections. */
async function work({ peer, server }) {
  await PEERS[peer](addresses({ round: 1 }), server)
  collectGarbage()
  const emails = addresses({ round: 2 })
  const start = { at: performance.now(), cpu: process.cpuUsage() }
  startMeasuring()
  const missed = await PEERS[peer](emails, server)
  const { blockedMs, cpuMs } = stopMeasuring()
  const { user, system } = process.cpuUsage(start.cpu)
  const seconds = (performance.now() - start.at) / 1_000
  process.stdout.write(
    JSON.stringify({ missed: missed(), blockedMs, cpuMs, seconds, cpuSeconds: (user + system) / 1e6 }),
  )
}

const whole = (number) => Math.round(number).toLocaleString('en')

async function speed() {
  for (const delayMs of [20, 0]) {
    const server = await nameServer(delayMs)
    head(
      delayMs === 0 ? 'an answer comes at once' : `an answer takes ${delayMs} ms`,
      's',
      'CPU s',
      'addresses per second',
      'longest turn, ms',
      'live addresses missed',
    )
    for (const peer of Object.keys(PEERS)) {
      const task = JSON.stringify({ peer, server: server.address })
      const printed = execFileSync(process.execPath, [import.meta.filename, '--work', task], {
        encoding: 'utf8',
      })
      const { missed, blockedMs, cpuMs, seconds, cpuSeconds } = JSON.parse(printed)
      const turn = `${whole(cpuMs)} (${whole(blockedMs)})`
      row(peer, seconds.toFixed(2), cpuSeconds.toFixed(2), whole(ADDRESSES / seconds), turn, missed)
    }
    server.stop()
    console.log()
  }
}

async function dead() {
  const server = await nameServer(20)
  head('silent domains', 's', 'live addresses not known')
  for (const deadPercent of [0, 5, 20, 100]) {
    const mx = new MxResolver([server.address])
    const start = performance.now()
    const missed = await keepfirst(addresses({ deadPercent, round: deadPercent }), mx)
    row(`${deadPercent} %`, ((performance.now() - start) / 1_000).toFixed(1), missed())
  }
  server.stop()
  console.log()
}

/** Small requests over HTTP, one after another, while a large one is in progress the whole time. */
async function beside() {
  const names = await nameServer(20)
  const server = await startServer({ DNS_SERVERS: names.address })
  const calls = 240
  let round = 0
  const send = async (path, token, body) => {
    const start = performance.now()
    const status = await server.call(path, token, JSON.stringify(body))
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    return performance.now() - start
  }
  const small = {
    'validate, 3 addresses': (token) =>
      send('/api/validate', token, { emails: addresses({ count: 3, domains: 3, round: round++ }) }),
    'dedupe, 5 lines': (token) => send('/api/dedupe', token, { mode: 'lines', data: 'a\nb\na\nc\nb' }),
  }
  const measure = async (title, key) => {
    server.startLoopMeasurement()
    const taken = Object.keys(small).map(() => [])
    for (let call = 0; call < calls; call++) {
      for (const [i, one] of Object.values(small).entries()) taken[i].push(await one(key[i]))
    }
    const { blockedMs, cpuMs } = await server.stopLoopMeasurement()
    for (const [i, name] of Object.keys(small).entries()) {
      const sorted = taken[i].sort((a, b) => a - b)
      const at = (share) => sorted[Math.floor((calls - 1) * share)].toFixed(1)
      row(name, title, at(0.5), at(0.99), at(1), `${whole(cpuMs)} (${whole(blockedMs)})`)
    }
  }
  const keys = (account) => Object.keys(small).map(() => server.makeKey(account))
  head('small request', 'beside', 'p50 ms', 'p99 ms', 'most ms', 'longest turn of the server, ms')
  const alone = { warm: keys('warm@example.com'), measured: keys('alone@example.com') }
  for (const [i, one] of Object.values(small).entries()) for (let call = 0; call < 100; call++) await one(alone.warm[i])
  await measure('nothing', alone.measured)
  for (const [title, deadPercent] of [
    ['25,000 addresses', 0],
    ['25,000 addresses of silent domains', 100],
  ]) {
    const key = keys(`small${deadPercent}@example.com`)
    // The monthly units of Pro cover six such requests.
    const large = Array.from({ length: 5 }, (_, i) => server.makeKey(`large${deadPercent}-${i}@example.com`))
    let over = false
    const load = (async () => {
      for (let i = 0; !over; i++) {
        const emails = addresses({ deadPercent, round: `${deadPercent}-${i}` })
        await send('/api/validate', large[Math.floor(i / 6)], { emails })
      }
    })()
    await Promise.race([load, measure(title, key)])
    over = true
    await load
  }
  await server.stop()
  names.stop()
  console.log()
}

async function memory() {
  const server = await nameServer(0)
  const mx = new MxResolver([server.address])
  head('requests of 500 addresses over 100 domains', 'heap MB', 'resident MB')
  for (let request = 1; request <= 1_000; request++) {
    await keepfirst(addresses({ count: 500, domains: 100, round: request }), mx)
    if (![10, 100, 250, 500, 1_000].includes(request)) continue
    collectGarbage()
    const { rss, heapUsed } = process.memoryUsage()
    row(whole(request), whole(heapUsed / 2 ** 20), whole(rss / 2 ** 20))
  }
  server.stop()
  console.log()
}

if (process.argv[2] === '--work') {
  await work(JSON.parse(process.argv[3]))
} else {
  const tables = [speed, dead, beside, memory]
  const chosen = tables.filter((table) => process.argv.includes(table.name))
  console.log(machine())
  console.log(`${whole(ADDRESSES)} addresses over ${whole(DOMAINS)} domains\n`)
  for (const table of chosen.length > 0 ? chosen : tables) await table()
}
