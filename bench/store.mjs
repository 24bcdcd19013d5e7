// Admissions per second: one at a time, and grouped with 64 requests at once. `npm run bench -- store`: SQLite in a
// temporary folder; also PostgreSQL if POSTGRES_URL names an empty database. The disk matters most, so the temporary
// folder (TMPDIR) should be where the product's database would be.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStore } from '../packages/service/dist/store/create-store.js'
import { migrate } from '../packages/service/dist/store/migrations/migrate.js'
import { openPostgres } from '../packages/service/dist/store/postgres.js'
import { openSqlite } from '../packages/service/dist/store/sqlite.js'
import { head, machine, row } from './support/table.mjs'

const SECONDS = 3
const AT_ONCE = 64
const ACCOUNTS = 64
const AT = Date.UTC(2026, 2, 15)
/** Charges are spread over different hours and so over different burst windows, so that none is refused. */
const HOUR = 3_600_000

/** Runs `work` repeatedly, `atOnce` runs at a time; returns runs per second. */
async function perSecond(atOnce, work) {
  const end = performance.now() + SECONDS * 1_000
  let count = 0
  const keepWorking = async () => {
    while (performance.now() < end) await work(count++)
  }
  await Promise.all(Array.from({ length: atOnce }, keepWorking))
  return Math.round(count / SECONDS)
}

async function holdersOf(store) {
  const holders = []
  for (let i = 0; i < ACCOUNTS; i++) {
    const { id: accountId } = await store.ensureAccount(`bench${i}@example.org`, AT)
    const hash = createHash('sha256').update(randomBytes(32)).digest('hex')
    const key = await store.createKey({ accountId, name: 'bench', prefix: 'kf_live_0000', hash, createdAt: AT })
    holders.push({ hash, holder: { keyId: key.id, accountId, plan: 'pro' } })
  }
  return holders
}

async function measure(name, database) {
  await migrate(database)
  const store = createStore(database, { randomBytes })
  const holders = await holdersOf(store)
  const nth = (i) => holders[i % holders.length]
  const charge = (i) => ({ holder: nth(i).holder, at: AT + (i % 300) * HOUR, mode: 'lines', rows: 1, units: 1 })
  const request = async (i) => {
    await store.findHolder(nth(i).hash)
    const { ticket } = await store.admit(charge(i))
    if (ticket !== undefined) store.complete(ticket, { status: 200, removed: 0, durationMs: 1 })
  }
  const rows = {
    'one at a time, one commit each': await perSecond(1, (i) => store.admit(charge(i))),
    [`${AT_ONCE} at once, grouped`]: await perSecond(AT_ONCE, (i) => store.admit(charge(i))),
    [`${AT_ONCE} at once, key looked up, charged, completed`]: await perSecond(AT_ONCE, request),
  }
  await store.close()
  for (const [what, count] of Object.entries(rows)) row(name, what, count.toLocaleString('en'))
}

console.log(`${machine()}\n`)
head('database', 'admissions', 'per second')
const folder = mkdtempSync(join(tmpdir(), 'keepfirst-bench-'))
try {
  await measure('SQLite', await openSqlite(join(folder, 'bench.db')))
  const { POSTGRES_URL } = process.env
  if (POSTGRES_URL !== undefined)
    await measure('PostgreSQL', await openPostgres(POSTGRES_URL, { connections: 6, isPooled: false }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
