import { randomBytes } from 'node:crypto'
import { refuse, UNITS_PER_ADDRESS } from '@keepfirst/protocol'
import { expect, test } from 'vitest'
import { issueKey } from '../../src/accounts/keys.ts'
import type { Compute } from '../../src/compute/compute.ts'
import { parseEmails } from '../../src/compute/parse-emails.ts'
import { disposableDomains } from '../../src/email-validation/disposable.ts'
import { type MxQuestions, ResolverStopped } from '../../src/email-validation/mx-resolver.ts'
import { createHandler } from '../../src/requests/pipeline.ts'
import { validate } from '../../src/requests/validate.ts'
import type { OpenDatabase } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { all, describeBothStores, MONTH, NOON, newEmail, used } from '../store/support.ts'
import { callWith } from '../support/call.ts'

const emails = ['jo@good.example', 'info@good.example', 'no address']
const units = UNITS_PER_ADDRESS * emails.length

/** The whole pipeline of `POST /api/validate` on a store, with the look-ups and the parser of a test. */
function handler(store: Store, { answers, parse = async (body) => parseEmails(body) }: Scene) {
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const clocks = { now: () => NOON, monotonicMs: () => 0 }
  const context = { store, baseUrl: '', addressSecret: randomBytes(32), ...clocks, log, observe() {} }
  const sources = {
    isDisposable: disposableDomains({ extra: [], except: [] }),
    mx: { open: () => ({ ask() {}, answers }) },
  }
  return createHandler(validate({ baseUrl: '', compute: { parseEmails: parse }, sources, dnsMs: 1_000 }), context)
}

interface Scene {
  readonly answers: MxQuestions['answers']
  readonly parse?: Compute['parseEmails']
}

async function caller({ store }: OpenDatabase, { signal }: AbortController = new AbortController()) {
  const { id: accountId } = await store.ensureAccount(newEmail(), NOON)
  const made = await issueKey(store, { accountId, tokenPrefix: 'kf', now: NOON, randomBytes })
  if (typeof made === 'string') throw new Error(made)
  const body = new TextEncoder().encode(JSON.stringify({ emails }))
  const memory = { hasRoom: true }
  const call = callWith(
    {
      authorization: `Bearer ${made.token}`,
      declaredBytes: body.byteLength,
      readBody: async () => body,
      reserveMemory: () => memory.hasRoom,
      signal,
    },
    () => signal.aborted,
  )
  const ledger = async () => ({
    used: await used(store, { accountId }),
    events: (await all(store.eventPages({ accountId, month: MONTH }))).map(({ status, units }) => ({ status, units })),
  })
  return { call, ledger, memory }
}

describeBothStores('4.5 the ledger after a failed validation', (databases) => {
  test('an internal error during look-ups: 500, and all units are refunded before the answer', async () => {
    const database = await databases.shared()
    const { call, ledger } = await caller(database)
    const before: unknown[] = []
    const answers = async () => {
      before.push(await ledger())
      throw new Error('broken')
    }
    expect(await handler(database.store, { answers })(call)).toMatchObject({
      status: 500,
      body: { error: 'internal error' },
    })
    expect(before).toEqual([{ used: units, events: [{ status: null, units }] }])
    expect(await ledger()).toEqual({ used: 0, events: [{ status: 500, units: 0 }] })
  })

  test('the client disconnects during look-ups: 499, and its units are not refunded', async () => {
    const database = await databases.shared()
    const client = new AbortController()
    const { call, ledger } = await caller(database, client)
    const answers = async () => {
      client.abort(new Error('gone'))
      client.signal.throwIfAborted()
      return new Map()
    }
    expect(await handler(database.store, { answers })(call)).toEqual({ kind: 'none' })
    await expect.poll(ledger).toEqual({ used: units, events: [{ status: 499, units }] })
  })

  test('the server stops before DNS has answered: 503, and all units are refunded', async () => {
    const database = await databases.shared()
    const { call, ledger } = await caller(database)
    const answers = () => Promise.reject(new ResolverStopped())
    expect(await handler(database.store, { answers })(call)).toEqual(refuse.stopping())
    expect(await ledger()).toEqual({ used: 0, events: [{ status: 503, units: 0 }] })
  })

  test('the server stops before a large list is parsed: 503, and nothing is charged', async () => {
    const database = await databases.shared()
    const { call, ledger } = await caller(database)
    const answers = () => Promise.reject(new Error('no look-up expected'))
    expect(await handler(database.store, { answers, parse: async () => 'stopping' })(call)).toEqual(refuse.stopping())
    await expect.poll(ledger).toMatchObject({ used: 0, events: [{ status: 503, units: 0 }] })
  })

  test('no memory for the parsed list: 503, and nothing is charged', async () => {
    const database = await databases.shared()
    const { call, ledger, memory } = await caller(database)
    memory.hasRoom = false
    const answers = () => Promise.reject(new Error('no look-up expected'))
    const reply = await handler(database.store, { answers })(call)
    expect(reply).toMatchObject({ status: 503, body: { error: 'server is busy; try again later' } })
    await expect.poll(ledger).toMatchObject({ used: 0, events: [{ status: 503, units: 0 }] })
  })
})
