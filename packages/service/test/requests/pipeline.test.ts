import { PLANS, type Refusal, refuse } from '@keepfirst/protocol'
import { describe, expect, test } from 'vitest'
import { resetOf } from '../../src/accounts/usage.ts'
import { ClientDisconnected } from '../../src/client-connection.ts'
import type { Call } from '../../src/requests/call.ts'
import type { Context } from '../../src/requests/context.ts'
import type { Billable, Endpoint } from '../../src/requests/endpoint.ts'
import { createHandler } from '../../src/requests/pipeline.ts'
import type { Admission, KeyHolder, Ticket } from '../../src/store/store.ts'
import { hashOf, NOON } from '../store/support.ts'
import { callWith } from '../support/call.ts'

/*
 * How each step can end a request: the answer, what the ledger is told, and what is observed. Endpoint, store, client
 * and clocks are stand-ins.
 */

const HOLDER: KeyHolder = { keyId: 'key', accountId: 'account', plan: 'free' }
const TICKET: Ticket = { kind: 'keyed', chargeId: 'charge', accountId: 'account', at: NOON, units: 7 }
const PARSED: Billable = { kind: 'parsed', mode: 'lines', rows: 3, units: 7, heldBytes: 100 }
const BODY = new Uint8Array(5)
/** By the stand-in's clock, which moves on by this much each time that it is read. */
const TICK_MS = 10

interface Scene {
  readonly authorization?: string
  readonly endpoint?: Partial<Endpoint<Billable>>
  readonly store?: Partial<Context['store']>
  readonly call?: Partial<Omit<Call, 'aborted'>>
  readonly hasLeft?: () => boolean
}

/** Handles one call; returns its reply and what became known elsewhere, in order. */
async function outcomeOf({
  authorization = 'Bearer token',
  endpoint = {},
  store = {},
  call = {},
  hasLeft = () => false,
}: Scene) {
  const told: unknown[] = []
  const logged: string[] = []
  let monotonicMs = 0
  const context: Context = {
    store: {
      findHolder: async (hash) => (hash === hashOf('token') ? HOLDER : undefined),
      admit: async () => ({ outcome: 'admitted', ticket: TICKET }),
      admitKeyless: async () => ({ outcome: 'admitted', ticket: TICKET }),
      complete: (ticket, { status, removed }) => void told.push({ completed: ticket, status, removed }),
      refund: async (ticket, { status, removed }) => void told.push({ refunded: ticket, status, removed }),
      recordRefusal: ({ durationMs, ...refused }) => void told.push({ ...refused, hasDuration: durationMs > 0 }),
      ...store,
    },
    baseUrl: 'https://dedupe.example',
    addressSecret: new Uint8Array(32),
    now: () => NOON,
    monotonicMs: () => {
      monotonicMs += TICK_MS
      return monotonicMs
    },
    log: { debug() {}, info() {}, warn() {}, error: (_: unknown, message?: string) => void logged.push(message ?? '') },
    observe: ({ durationMs, ...summary }) => void told.push({ ...summary, hasDuration: durationMs > 0 }),
  }
  const handle = createHandler(
    {
      path: '/api/example',
      mode: null,
      authorizeCaller: () => undefined,
      parse: async () => PARSED,
      authorizeRequest: () => undefined,
      run: async () => ({ kind: 'ran', body: BODY, removed: 2 }),
      ...endpoint,
    },
    context,
  )
  const reply = await handle(callWith({ authorization, readBody: async () => BODY, ...call }, hasLeft))
  return { reply, told, logged }
}

const observed = (status: number, more: object = {}) => {
  return { requestId: 'r', path: '/api/example', plan: 'free', status, units: 0, hasDuration: true, ...more }
}
const recorded = (status: number, known: object = { mode: null, rows: null }) => {
  return { holder: HOLDER, at: NOON, status, hasDuration: true, ...known }
}
/** What is recorded of a call that had been parsed. */
const KNOWN = { mode: 'lines', rows: 3 }

test('a call that is answered is completed, and its units stay charged', async () => {
  const charges: unknown[] = []
  const { reply, told } = await outcomeOf({
    store: {
      async admit(charge) {
        charges.push(charge)
        return { outcome: 'admitted', ticket: TICKET }
      },
    },
  })
  expect(reply).toEqual({ kind: 'result', body: BODY })
  expect(charges).toEqual([{ holder: HOLDER, at: NOON, mode: 'lines', rows: 3, units: 7 }])
  expect(told).toEqual([{ completed: TICKET, status: 200, removed: 2 }, observed(200, { units: 7 })])
})

test('a call without a key is charged to the hash of its address', async () => {
  const charges: unknown[] = []
  const { reply } = await outcomeOf({
    authorization: '',
    store: {
      async admitKeyless(charge) {
        charges.push(charge)
        return { outcome: 'admitted', ticket: TICKET }
      },
    },
  })
  expect(reply.kind).toBe('result')
  expect(charges).toEqual([{ addressHash: expect.stringMatching(/^[0-9a-f]{64}$/), at: NOON, units: 7 }])
})

/** The work after a refusal, which must not begin. */
const fails = async (): Promise<never> => {
  throw new Error('not expected')
}

describe('a refusal before the charge ends the request, costs nothing, and is recorded', () => {
  const admits = (admission: Admission) => ({ store: { admit: async () => admission } })
  const limit = { requests: 5, windowSeconds: 60 }

  test.each<Scene & { name: string; refusal: Refusal; known?: object }>([
    {
      name: 'the caller may not use the endpoint',
      endpoint: { authorizeCaller: () => refuse.keyRequired('') },
      call: { readBody: fails },
      refusal: refuse.keyRequired(''),
    },
    {
      name: 'the body is too large',
      call: { readBody: async () => 'over' },
      endpoint: { parse: fails },
      refusal: refuse.bodyTooLarge(PLANS.free),
    },
    {
      name: 'the body is not valid',
      endpoint: { parse: async () => refuse.unparseableBody(), run: fails },
      refusal: refuse.unparseableBody(),
    },
    {
      name: 'the server stops',
      endpoint: { parse: async () => 'stopping' },
      refusal: refuse.stopping(),
    },
    {
      name: 'there is no memory for the request',
      call: { reserveMemory: (bytes) => bytes !== PARSED.heldBytes },
      refusal: refuse.busy(),
    },
    {
      name: 'the caller may not make the request',
      endpoint: { authorizeRequest: () => refuse.fuzzyNeedsKey('') },
      store: { admit: fails },
      refusal: refuse.fuzzyNeedsKey(''),
      known: KNOWN,
    },
    {
      name: 'it costs more than one request may',
      endpoint: { parse: async () => ({ ...PARSED, units: 201 }) },
      store: { admit: fails },
      refusal: refuse.tooManyUnits(PLANS.free, 201),
      known: KNOWN,
    },
    {
      name: 'the month is spent',
      ...admits({ outcome: 'month spent', used: 99 }),
      refusal: refuse.monthSpent(PLANS.free, 99, resetOf(NOON)),
      known: KNOWN,
    },
    {
      name: 'the burst window is full',
      ...admits({ outcome: 'burst', limit, retryAfterSeconds: 3 }),
      refusal: refuse.burst(PLANS.free, limit, 3),
      known: KNOWN,
    },
    { name: 'the ledger does not answer', store: { admit: fails }, refusal: refuse.storeDown(), known: KNOWN },
  ])('$name', async ({ refusal, known, ...scene }) => {
    const { reply, told } = await outcomeOf({ ...scene, endpoint: { run: fails, ...scene.endpoint } })
    expect(reply).toEqual(refusal)
    const { status } = refusal
    const error = status >= 500 ? { error: refusal.body.error } : {}
    expect(told).toEqual([observed(status, error), recorded(status, known)])
  })

  test('but a call whose key is unknown, or cannot be looked up, is not recorded', async () => {
    for (const findHolder of [async () => undefined, fails]) {
      const { reply, told, logged } = await outcomeOf({ store: { findHolder }, call: { readBody: fails } })
      expect(reply).toEqual(refuse.invalidKey())
      expect(told).toEqual([observed(401, { plan: 'unknown' })])
      expect(logged).toHaveLength(findHolder === fails ? 1 : 0)
    }
  })

  test('nor is one without a key', async () => {
    const day = { admitKeyless: async () => ({ outcome: 'day spent' }) as const }
    const { reply, told } = await outcomeOf({ authorization: '', store: day })
    expect(reply).toEqual(refuse.daySpent(PLANS.keyless, 7, 'https://dedupe.example'))
    expect(told).toEqual([observed(429, { plan: 'keyless' })])
  })
})

describe('work that was paid for and is not done is refunded', () => {
  test.each<{ name: string; run: Endpoint<Billable>['run']; refusal: Refusal; lines: number }>([
    { name: 'it takes too long', run: async () => 'too long', refusal: refuse.fuzzyTooLong(), lines: 0 },
    { name: 'the server stops', run: async () => 'stopping', refusal: refuse.stopping(), lines: 0 },
    { name: 'it fails', run: fails, refusal: refuse.internal(), lines: 1 },
  ])('$name', async ({ run, refusal, lines }) => {
    const { reply, told, logged } = await outcomeOf({ endpoint: { run } })
    expect(reply).toEqual(refusal)
    const { status } = refusal
    expect(told).toEqual([{ refunded: TICKET, status, removed: null }, observed(status, { error: refusal.body.error })])
    expect(logged).toHaveLength(lines)
  })

  test('a fault before the charge is answered and recorded', async () => {
    const { reply, told, logged } = await outcomeOf({ endpoint: { parse: fails } })
    expect(reply).toEqual(refuse.internal())
    expect(told).toEqual([observed(500, { error: 'internal error' }), recorded(500)])
    expect(logged).toEqual(['a request failed'])
  })
})

describe('a client that disconnects gets no answer', () => {
  const leaves = async (): Promise<never> => {
    throw new ClientDisconnected()
  }

  test.each<Scene & { name: string; records: readonly object[] }>([
    { name: 'while its body is read', call: { readBody: leaves }, records: [observed(499), recorded(499)] },
    {
      name: 'before its charge',
      hasLeft: () => true,
      store: { admit: fails },
      records: [observed(499), recorded(499, KNOWN)],
    },
    {
      name: 'while its charge waits',
      store: { admit: async () => ({ outcome: 'withdrawn' }) },
      records: [observed(499), recorded(499, KNOWN)],
    },
    {
      name: 'while it runs: its units stay charged',
      endpoint: { run: leaves },
      records: [{ completed: TICKET, status: 499, removed: null }, observed(499, { units: 7 })],
    },
  ])('$name', async ({ records, ...scene }) => {
    const { reply, told, logged } = await outcomeOf(scene)
    expect(reply).toEqual({ kind: 'none' })
    expect(told).toEqual(records)
    expect(logged).toEqual([])
  })

  test('while its charge is committed: its units are refunded', async () => {
    let isCommitted = false
    const admit = async (): Promise<Admission> => {
      isCommitted = true
      return { outcome: 'admitted', ticket: TICKET }
    }
    const { reply, told } = await outcomeOf({ store: { admit }, endpoint: { run: fails }, hasLeft: () => isCommitted })
    expect(reply).toEqual({ kind: 'none' })
    expect(told).toEqual([{ refunded: TICKET, status: 499, removed: null }, observed(499)])
  })
})
