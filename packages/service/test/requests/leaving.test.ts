import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { issueKey } from '../../src/accounts/keys.ts'
import { ClientDisconnected } from '../../src/client-connection.ts'
import type { Compute } from '../../src/compute/compute.ts'
import { parseRequest } from '../../src/compute/parse-request.ts'
import { runInline } from '../../src/compute/tasks.ts'
import type { Call } from '../../src/requests/call.ts'
import { dedupe } from '../../src/requests/dedupe.ts'
import { createHandler } from '../../src/requests/pipeline.ts'
import type { Store } from '../../src/store/store.ts'
import { all, describeBothStores, MONTH, NOON, newEmail, used } from '../store/support.ts'
import { callWith } from '../support/call.ts'

type Moment =
  | 'while its key is looked up'
  | 'while its body is read'
  | 'while it is parsed'
  | 'while its charge waits'
  | 'while its charge is committed'
  | 'while it runs'
  | 'never'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const ROWS = 3

/** A handler and a call whose client disconnects at the given moment. */
function scene(store: Store, moment: Moment) {
  const client = new AbortController()
  const leaveIf = (now: Moment): void => {
    if (now === moment) client.abort(new ClientDisconnected())
  }
  const leaving: Store = {
    ...store,
    async findHolder(hash) {
      leaveIf('while its key is looked up')
      return await store.findHolder(hash)
    },
    async admit(charge, client) {
      leaveIf('while its charge waits')
      const admission = await store.admit(charge, client)
      leaveIf('while its charge is committed')
      return admission
    },
  }
  const compute: Compute = {
    async parse(body) {
      leaveIf('while it is parsed')
      client.signal.throwIfAborted()
      return parseRequest(body)
    },
    async run(request) {
      leaveIf('while it runs')
      client.signal.throwIfAborted()
      return runInline(request)
    },
    parseEmails: () => Promise.reject(new Error('not expected')),
  }
  const context = {
    store: leaving,
    baseUrl: '',
    addressSecret: randomBytes(32),
    now: () => NOON,
    monotonicMs: () => 0,
    log,
    observe() {},
  }
  const { signal } = client
  const readBody: Call['readBody'] = async () => {
    leaveIf('while its body is read')
    signal.throwIfAborted()
    return new TextEncoder().encode('{"mode":"lines","data":"a\\nb\\na"}')
  }
  const call = (token: string): Call =>
    callWith({ authorization: `Bearer ${token}`, readBody, signal }, () => signal.aborted)
  return { call, handle: createHandler(dedupe(compute, context), context) }
}

describeBothStores('whether a caller that disconnects is billed', (databases) => {
  test.each([
    { moment: 'while its key is looked up', units: 0, status: 499 },
    { moment: 'while its body is read', units: 0, status: 499 },
    { moment: 'while it is parsed', units: 0, status: 499 },
    { moment: 'while its charge waits', units: 0, status: 499 },
    { moment: 'while its charge is committed', units: 0, status: 499 },
    { moment: 'while it runs', units: ROWS, status: 499 },
    { moment: 'never', units: ROWS, status: 200 },
  ] as const)('$moment: $units units', async ({ moment, units, status }) => {
    const { store } = await databases.shared()
    const { id: accountId } = await store.ensureAccount(newEmail(), NOON)
    const made = await issueKey(store, { accountId, tokenPrefix: 'kf', now: NOON, randomBytes })
    if (typeof made === 'string') throw new Error(made)
    const { call, handle } = scene(store, moment)
    const reply = await handle(call(made.token))
    expect(reply.kind).toBe(status === 200 ? 'result' : 'none')
    await store.flush()
    expect(await used(store, { accountId })).toBe(units)
    expect(await all(store.eventPages({ accountId, month: MONTH }))).toMatchObject([{ status, units }])
  })
})
