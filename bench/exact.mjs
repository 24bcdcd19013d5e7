/*
 * npm run bench -- exact [NAME]
 *
 * Exact deduplication: the server compared with the minimum that any JSON service does, the engine compared with what
 * people would write themselves, and how its time grows. With a NAME, only the bodies whose names contain it. Needs a
 * quiet machine; tools that are not installed are left out.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dedupeJson, dedupeLines, dedupeRows } from '../packages/engine/dist/index.js'
import { ascii, BODIES, smallNumbers } from './support/exact-lists.mjs'
import { TOOLS } from './support/exact-tools.mjs'
import { startServer } from './support/server.mjs'
import { head, machine, row } from './support/table.mjs'

const ONLY = process.argv[3] ?? ''
const BARE_PORT = 30_000 + (process.pid % 10_000)
const TICKS_PER_SECOND = 100
/** As many requests as an account's monthly units cover. */
const CALLS_PER_ACCOUNT = 6
const ACCOUNTS = 3
/** Their calls are not counted: both servers are still compiling hot code, ours in each of its threads. */
const WARM_UP_ACCOUNTS = 3

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1]
const fixed = (value) => value.toFixed(value < 10 ? 2 : 0)

/** CPU milliseconds used by all threads of a process. */
function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ')
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1_000
}

async function overHttp() {
  const bare = spawn(process.execPath, [join(import.meta.dirname, 'support/bare.mjs'), String(BARE_PORT)])
  const server = await startServer()
  const post = (body) => fetch(`http://127.0.0.1:${BARE_PORT}`, { method: 'POST', body }).then((a) => a.arrayBuffer())
  try {
    head('5 MB over HTTP', 'CPU ms', 'bare parse and write', 'ratio')
    for (const [name, make] of Object.entries(BODIES)) {
      if (!name.includes(ONLY)) continue
      const body = Buffer.from(make())
      const tokens = Array.from({ length: WARM_UP_ACCOUNTS + ACCOUNTS }, (_, i) =>
        server.makeKey(`${name.replaceAll(/\W/g, '')}${i}@example.com`),
      )
      const callAll = async (token) => {
        for (let call = 0; call < CALLS_PER_ACCOUNT; call++) {
          const status = await server.call('/api/dedupe', token, body)
          if (status !== 200) throw new Error(`${name}: ${status}`)
          await post(body)
        }
      }
      for (const token of tokens.slice(0, WARM_UP_ACCOUNTS)) await callAll(token)
      const started = { ours: cpuMs(server.pid), bare: cpuMs(bare.pid) }
      for (const token of tokens.slice(WARM_UP_ACCOUNTS)) await callAll(token)
      const calls = ACCOUNTS * CALLS_PER_ACCOUNT
      const ours = (cpuMs(server.pid) - started.ours) / calls
      const floor = (cpuMs(bare.pid) - started.bare) / calls
      row(name, fixed(ours), fixed(floor), (ours / floor).toFixed(2))
    }
  } finally {
    bare.kill()
    await server.stop()
  }
}

/** Small lists on which some tools lose data, with the only correct answer. */
const TRICKY = {
  lines: { list: 'b\r\na\rb\nc', right: 'b\na\nc' },
  rows: { list: 'id,v\n02,"a\nb"\n2,"say ""x"""\n02,c', right: 'id,v\n02,"a\nb"\n2,"say ""x"""' },
  json: {
    list: '[9007199254740993,9007199254740992,{"2":1,"1":2},{"1":2,"2":1},1.50,1.5]',
    right: '[9007199254740993,9007199254740992,{"2":1,"1":2},{"1":2,"2":1},1.50]',
  },
}
const ENTRIES = 48_000

async function besideOthers() {
  for (const [form, tools] of Object.entries(TOOLS)) {
    head(`${form}, ${ENTRIES.toLocaleString('en')} entries, 5 MB`, 'ms', 'again', 'CPU ms', 'peak MB', 'right')
    for (const [name, open] of Object.entries(tools)) {
      const tool = await open()
      if (!tool) continue
      // Quadratic: only as many entries as it can process in a few seconds.
      const count = name.includes('isEqual') ? 4_000 : ENTRIES
      const file = join(import.meta.dirname, 'support/exact-tools.mjs')
      const { stdout } = spawnSync(process.execPath, [file, form, name, String(count)], { encoding: 'utf8' })
      const { ms, againMs, cpuMs, megabytes } = JSON.parse(stdout)
      const isRight = (await tool(TRICKY[form].list)) === TRICKY[form].right
      const title = count === ENTRIES ? name : `${name} (${count.toLocaleString('en')} entries)`
      row(title, fixed(ms), fixed(againMs), fixed(cpuMs), Math.round(megabytes), isRight ? 'yes' : 'no')
    }
    console.log()
  }
}

function time(work) {
  const times = Array.from({ length: 9 }, () => {
    const start = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1_000
  })
  return median(times)
}

function growth() {
  head('CPU ms', 'lines', 'rows by key', 'JSON items')
  for (const entries of [10, 100, 1_000, 10_000, ENTRIES]) {
    const lists = { lines: ascii.text(entries), rows: ascii.csv(entries), json: ascii.array(entries) }
    const size = `${Math.ceil(lists.lines.length / 1_024).toLocaleString('en')} KB`
    const rows = time(() => dedupeRows(lists.rows, { keyColumns: [4] }))
    row(size, fixed(time(() => dedupeLines(lists.lines))), fixed(rows), fixed(time(() => dedupeJson(lists.json))))
  }
  const list = smallNumbers(460_000)
  const ours = time(() => dedupeJson(list))
  const floor = time(() => JSON.stringify(JSON.parse(list)))
  console.log(`\n460,000 small numbers: ${fixed(ours)} ms, JSON.parse and JSON.stringify ${fixed(floor)} ms`)
}

console.log(`${machine()}\n`)
await overHttp()
if (ONLY === '') {
  console.log()
  await besideOthers()
  growth()
}
