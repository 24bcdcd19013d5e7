/*
 * npm run bench -- validate
 *
 * Email hygiene: addresses a second against a resolver that answers at once (warm) and after 20 ms (cold), beside
 * bare look-ups and what people would otherwise write; dead domains; memory over many requests; small requests
 * beside a large one. The resolver is a process of its own on loopback.
 */
import { spawn } from 'node:child_process'
import { promises as dns, Resolver, setServers } from 'node:dns'
import { once } from 'node:events'
import { join } from 'node:path'
import { disposableDomains } from '../packages/service/dist/hygiene/disposable.js'
import { MxLookUps } from '../packages/service/dist/hygiene/mx.js'
import { encodeAnswer, judge } from '../packages/service/dist/hygiene/verdict.js'

const ADDRESSES = 25_000
const DOMAINS = 5_000
/** Libraries get fewer addresses: they look up every one, and some take a millisecond of CPU for each. */
const SAMPLE = 2_500
const never = new AbortController().signal
const isDisposable = disposableDomains({ extra: [], except: [] })

/** A resolver that answers MX after `delayMs`, except for domains named dead…, in a process of its own. */
async function resolver(delayMs) {
  const file = join(import.meta.dirname, 'support/resolver.mjs')
  const child = spawn(process.execPath, ['--import', 'tsx', file, String(delayMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [address] = await once(child.stdout, 'data')
  return { address: String(address).trim(), stop: () => child.kill() }
}

function domains(deadShare = 0) {
  return Array.from({ length: DOMAINS }, (_, i) => `${i % 100 < deadShare * 100 ? 'dead' : 'live'}${i}.example`)
}

/** 25,000 addresses over the domains, in an order that mixes them. */
function addresses(list) {
  return Array.from({ length: ADDRESSES }, (_, i) => `person.${i}@${list[(i * 7_919) % list.length]}`)
}

/** Seconds that it takes, the longest hold of the event loop, and what it returned. */
async function timed(work) {
  const start = performance.now()
  let last = start
  let holdMs = 0
  const probe = setInterval(() => {
    holdMs = Math.max(holdMs, performance.now() - last - 1)
    last = performance.now()
  }, 1)
  const cpu = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(cpu)
  clearInterval(probe)
  return { seconds: (performance.now() - start) / 1_000, cpuSeconds: (user + system) / 1e6, holdMs, result }
}

function mxOf(server) {
  return new MxLookUps([server.address])
}

async function keepfirst(emails, mx, deadlineMs = 20_000) {
  const answer = await judge(emails, { isDisposable, mx }, { deadlineMs, hungUp: never })
  await encodeAnswer(answer)
  return answer
}

/** As many bare look-ups at once as ours, each by a resolver of its own; nothing around them. */
async function bareLookUps(list, server) {
  const waiting = [...list]
  let failed = 0
  const lane = async () => {
    for (let domain = waiting.pop(); domain !== undefined; domain = waiting.pop()) {
      const own = new Resolver({ timeout: 1_000, tries: 1 })
      own.setServers([server.address])
      await new Promise((done) =>
        own.resolveMx(domain, (error) => {
          if (error && error.code !== 'ENODATA' && error.code !== 'ENOTFOUND') failed++
          done()
        }),
      )
    }
  }
  await Promise.all(Array.from({ length: 300 }, lane))
  return { failed }
}

/** Libraries ask the resolver of the process, some through callbacks and some through promises. */
function pointAt(server) {
  setServers([server.address])
  dns.setServers([server.address])
}

/** What is written first: one shared resolver, every address looked up, all at once. */
async function promiseAll(emails, server) {
  pointAt(server)
  const answers = await Promise.allSettled(emails.map((email) => dns.resolveMx(email.slice(email.indexOf('@') + 1))))
  return { failed: answers.filter(({ status }) => status === 'rejected').length }
}

const peers = [
  { name: 'Keepfirst (verdicts and JSON)', run: (emails, _, server) => keepfirst(emails, mxOf(server)) },
  {
    name: `bare look-ups, a resolver each, 300 at once (${DOMAINS.toLocaleString('en')} domains)`,
    run: (_, list, server) => bareLookUps(list, server),
  },
  {
    name: 'dns.resolveMx for every address at once',
    addresses: SAMPLE,
    run: (emails, _, server) => promiseAll(emails, server),
  },
  ...(await libraries()),
]

/** Libraries that judge an address with its MX record, when they are installed: one address after another, 300 at once. */
async function libraries() {
  const found = []
  const load = (name) => import(name).catch(() => undefined)
  const inLanes = async (emails, judgeOne) => {
    const waiting = [...emails]
    let failed = 0
    const lane = async () => {
      for (let email = waiting.pop(); email !== undefined; email = waiting.pop()) if (!(await judgeOne(email))) failed++
    }
    await Promise.all(Array.from({ length: 300 }, lane))
    return { failed }
  }
  const deep = await load('deep-email-validator')
  if (deep) {
    const validate = deep.validate ?? deep.default.validate
    const only = {
      validateRegex: true,
      validateMx: true,
      validateTypo: false,
      validateDisposable: true,
      validateSMTP: false,
    }
    found.push({
      name: 'deep-email-validator without SMTP, 300 at once',
      addresses: SAMPLE,
      run: (emails, _, server) => {
        pointAt(server)
        return inLanes(emails, async (email) => (await validate({ email, sender: email, ...only })).valid)
      },
    })
  }
  const validator = await load('validator')
  if (validator) {
    const isEmail = validator.default.isEmail
    found.push({
      name: 'validator isEmail, then dns.resolveMx, 300 at once',
      addresses: SAMPLE,
      run: (emails, _, server) => {
        pointAt(server)
        const mx = (email) => dns.resolveMx(email.slice(email.indexOf('@') + 1))
        return inLanes(emails, async (email) => isEmail(email) && (await mx(email).catch(() => [])).length > 0)
      },
    })
  }
  return found
}

function print(rows) {
  const columns = Object.keys(rows[0])
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => String(row[column]).length)))
  const line = (cells) => `| ${cells.map((cell, i) => String(cell).padEnd(widths[i])).join(' | ')} |`
  console.log(line(columns))
  console.log(line(widths.map((width) => '-'.repeat(width))))
  for (const row of rows) console.log(line(columns.map((column) => row[column])))
  console.log()
}

const count = (value) => Math.round(value).toLocaleString('en')

async function speed(title, delayMs) {
  const server = await resolver(delayMs)
  const list = domains()
  const all = addresses(list)
  const rows = []
  for (const { name, addresses: most = ADDRESSES, run } of peers) {
    const emails = all.slice(0, most)
    const { seconds, cpuSeconds, holdMs, result } = await timed(() => run(emails, list, server))
    const failed = result.failed ?? result.results.filter(({ mx }) => mx !== true).length
    rows.push({
      [title]: name,
      addresses: count(emails.length),
      seconds: seconds.toFixed(2),
      CPU: cpuSeconds.toFixed(2),
      'addresses a second': count(emails.length / seconds),
      'event loop held, ms': holdMs.toFixed(0),
      'live addresses called dead or unknown': failed,
    })
  }
  server.stop()
  print(rows)
}

async function dead() {
  const server = await resolver(20)
  const rows = []
  for (const share of [0.05, 0.2, 1]) {
    const list = domains(share)
    const mx = mxOf(server)
    let mostInFlight = 0
    const watch = setInterval(() => {
      mostInFlight = Math.max(mostInFlight, mx.inFlight)
    }, 5)
    const { seconds, result } = await timed(() => keepfirst(addresses(list), mx))
    clearInterval(watch)
    const unknown = result.results.filter(({ email, mx }) => email.includes('@live') && mx !== true)
    rows.push({
      'silent domains': `${share * 100} %`,
      seconds: seconds.toFixed(1),
      'most in flight': mostInFlight,
      'live addresses not known': unknown.length,
    })
  }
  server.stop()
  print(rows)
}

async function beside() {
  const server = await resolver(20)
  const mx = mxOf(server)
  const small = async (i) => {
    const start = performance.now()
    await keepfirst(
      [0, 1, 2].map((k) => `a@small${i}-${k}.example`),
      mx,
    )
    return performance.now() - start
  }
  const measure = async (runs) => {
    const times = []
    for (let i = 0; i < runs; i++) times.push(await small(`${runs}-${i}`))
    times.sort((a, b) => a - b)
    return { p50: times[Math.floor(runs * 0.5)].toFixed(0), p99: times[Math.floor(runs * 0.99)].toFixed(0) }
  }
  const rows = [{ 'three addresses, ms': 'alone', ...(await measure(200)) }]
  for (const [name, share] of [
    ['beside 25,000 addresses', 0],
    ['beside 25,000 addresses of silent domains', 1],
  ]) {
    const client = new AbortController()
    const repeat = async () => {
      for (let i = 0; !client.signal.aborted; i++) {
        const emails = addresses(domains(share)).map((email) => email.replace('.example', `.r${i}.example`))
        await judge(emails, { isDisposable, mx }, { deadlineMs: 20_000, hungUp: client.signal }).catch(() => {})
      }
    }
    const large = repeat()
    rows.push({ 'three addresses, ms': name, ...(await measure(201)) })
    client.abort()
    await large
  }
  server.stop()
  print(rows)
}

async function memory() {
  const server = await resolver(0)
  const mx = mxOf(server)
  const rows = []
  for (let request = 1; request <= 1_000; request++) {
    await keepfirst(
      Array.from({ length: 500 }, (_, i) => `a@d${i % 100}.r${request}.example`),
      mx,
    )
    if ([1, 100, 500, 1_000].includes(request)) {
      globalThis.gc?.()
      const { rss, heapUsed } = process.memoryUsage()
      rows.push({ requests: request, 'heap, MB': count(heapUsed / 2 ** 20), 'resident, MB': count(rss / 2 ** 20) })
    }
  }
  server.stop()
  print(rows)
}

await speed(`${count(ADDRESSES)} addresses, ${count(DOMAINS)} domains, warm (answers at once)`, 0)
await speed(`${count(ADDRESSES)} addresses, ${count(DOMAINS)} domains, cold (20 ms an answer)`, 20)
await dead()
await beside()
await memory()
