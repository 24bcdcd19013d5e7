import { randomBytes } from 'node:crypto'
import { UNITS_PER_ADDRESS } from '@keepfirst/protocol'
import { expect, test } from 'vitest'
import { createKey } from '../src/accounts/keys.ts'
import { disposableDomains } from '../src/hygiene/disposable.ts'
import type { MxQuestions } from '../src/hygiene/mx.ts'
import { type Call, HungUp } from '../src/requests/call.ts'
import { parseEmails } from '../src/requests/steps/parse-emails.ts'
import { validate } from '../src/requests/validate.ts'
import { wayOf } from '../src/requests/way.ts'
import type { OpenDatabase } from '../src/store/open.ts'
import type { Store } from '../src/store/store.ts'
import { describeBothStores, MONTH, NOON, newEmail, used } from './store/support.ts'

const emails = ['jo@good.example', 'info@good.example', 'no address']
const units = UNITS_PER_ADDRESS * emails.length

/** The whole way of `POST /api/validate` on a store, with look-ups and a reader of the test's own. */
function way(store: Store, { answers, readEmails = async (body: ArrayBuffer) => parseEmails(body) }: Scene) {
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const desk = { store, baseUrl: '', addressSecret: randomBytes(32), now: () => NOON, log, observe() {} }
  const hygiene = {
    isDisposable: disposableDomains({ extra: [], except: [] }),
    mx: { open: () => ({ ask() {}, answers }) },
  }
  return wayOf(validate({ baseUrl: '', reader: { readEmails }, hygiene, dnsMs: 1_000 }), desk)
}

interface Scene {
  readonly answers: MxQuestions['answers']
  readonly readEmails?: (body: ArrayBuffer) => Promise<ReturnType<typeof parseEmails> | 'busy'>
}

async function caller({ store }: OpenDatabase, hungUp = new AbortController().signal) {
  const { id: accountId } = await store.ensureAccount(newEmail(), NOON)
  const made = await createKey(store, { accountId, tokenPrefix: 'kf', now: NOON, randomBytes })
  if (typeof made === 'string') throw new Error(made)
  const body = new TextEncoder().encode(JSON.stringify({ emails })).buffer
  const call: Call = {
    authorization: `Bearer ${made.token}`,
    apiKey: undefined,
    network: '127.0.0.1',
    declaredBytes: body.byteLength,
    readBody: async () => body,
    hungUp,
  }
  const books = async () => ({
    used: await used(store, { accountId }),
    events: (await store.events({ accountId, month: MONTH })).map(({ status, units }) => ({ status, units })),
  })
  return { call, books }
}

describeBothStores('4.5 what a validation that did not end well leaves in the books', (databases) => {
  test('a fault of ours while DNS is asked: 500, and every unit is given back before that is said', async () => {
    const database = await databases.shared()
    const { call, books } = await caller(database)
    const before: unknown[] = []
    const answers = async () => {
      before.push(await books())
      throw new Error('broken')
    }
    expect(await way(database.store, { answers })(call)).toMatchObject({
      status: 500,
      body: { error: 'internal error' },
    })
    expect(before).toEqual([{ used: units, events: [{ status: null, units }] }])
    expect(await books()).toEqual({ used: 0, events: [{ status: 500, units: 0 }] })
  })

  test('a client that hangs up while DNS is asked: 499, and its units stay', async () => {
    const database = await databases.shared()
    const client = new AbortController()
    const { call, books } = await caller(database, client.signal)
    const answers = async () => {
      client.abort(new Error('gone'))
      client.signal.throwIfAborted()
      return new Map()
    }
    await expect(way(database.store, { answers })(call)).rejects.toThrow(HungUp)
    await expect.poll(books).toEqual({ used: units, events: [{ status: 499, units }] })
  })

  test('no room to read a large list: 503, and nothing was taken', async () => {
    const database = await databases.shared()
    const { call, books } = await caller(database)
    const answers = () => Promise.reject(new Error('nothing is asked'))
    const reply = await way(database.store, { answers, readEmails: async () => 'busy' })(call)
    expect(reply).toMatchObject({ status: 503, body: { error: 'server is busy; try again later' } })
    await expect.poll(books).toMatchObject({ events: [{ status: 503, units: 0 }] })
  })
})
