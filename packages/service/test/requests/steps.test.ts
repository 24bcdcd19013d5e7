import { PLANS, refuse } from '@keepfirst/protocol'
import { describe, expect, test } from 'vitest'
import type { Call } from '../../src/requests/call.ts'
import { keyed, keyless } from '../../src/requests/caller.ts'
import { authenticate } from '../../src/requests/steps/authenticate.ts'
import { price } from '../../src/requests/steps/price.ts'
import { readBody } from '../../src/requests/steps/read-body.ts'
import type { KeyHolder } from '../../src/store/store.ts'
import { hashOf } from '../store/support.ts'
import { callWith } from '../support/call.ts'

/* Single steps of the pipeline; `tests/spec` checks the same promises over HTTP. */

const PLAN = PLANS.free

describe('authenticate', () => {
  const holder: KeyHolder = { keyId: 'key', accountId: 'account', plan: 'free' }

  async function callerOf(parts: Partial<Call>) {
    const context = {
      store: { findHolder: async (hash: string) => (hash === hashOf('token') ? holder : undefined) },
      addressSecret: new Uint8Array(32),
      log: { debug() {}, info() {}, warn() {}, error() {} },
    }
    const caller = await authenticate(callWith(parts), context)
    return caller.kind === 'keyless' ? 'keyless' : caller.kind === 'keyed' ? caller.holder : caller
  }

  test.each<[Partial<Call>, 'keyless' | 'holder' | 'refused']>([
    [{}, 'keyless'],
    [{ authorization: 'Bearer token' }, 'holder'],
    [{ authorization: 'bEARER \t token \t' }, 'holder'],
    [{ apiKey: 'token' }, 'holder'],
    [{ authorization: 'Basic Bearer token', apiKey: 'token' }, 'holder'],
    [{ authorization: 'Basic Bearer token' }, 'keyless'],
    [{ authorization: '', apiKey: 'token' }, 'holder'],
    [{ authorization: 'Bearer', apiKey: 'token' }, 'refused'],
    [{ authorization: 'Bearertoken', apiKey: 'token' }, 'holder'],
    [{ authorization: 'Bearer other', apiKey: 'token' }, 'refused'],
    [{ authorization: 'Bearer token more' }, 'refused'],
    [{ apiKey: '' }, 'refused'],
  ])('%o: the caller is %s', async (parts, outcome) => {
    expect(await callerOf(parts)).toEqual({ keyless: 'keyless', holder, refused: refuse.invalidKey() }[outcome])
  })

  test('a caller has the plan of its account, or the keyless one', () => {
    expect(keyed(holder)).toEqual({ kind: 'keyed', plan: PLANS.free, holder })
    expect(keyless('hash')).toEqual({ kind: 'keyless', plan: PLANS.keyless, addressHash: 'hash' })
  })
})

describe('readBody', () => {
  const caller = keyed({ keyId: 'key', accountId: 'account', plan: 'free' })

  test.each([undefined, 0, PLAN.bodyBytes])(
    'a declared length of %s is read, up to the limit',
    async (declaredBytes) => {
      const body = new Uint8Array(3)
      const asked: unknown[] = []
      const call = callWith({
        declaredBytes,
        async readBody(...all) {
          asked.push(all)
          return body
        },
      })
      expect(await readBody(call, caller)).toBe(body)
      expect(asked).toEqual([[PLAN.bodyBytes, 'account account']])
    },
  )

  test('a greater declared length is refused before anything is read', async () => {
    const call = callWith({ declaredBytes: PLAN.bodyBytes + 1 })
    expect(await readBody(call, caller)).toEqual(refuse.declaredTooLarge(PLAN))
  })

  test.each([
    ['over' as const, refuse.bodyTooLarge(PLAN)],
    ['busy' as const, refuse.busy()],
  ])('a body that is %s is refused', async (outcome, refusal) => {
    expect(await readBody(callWith({ readBody: async () => outcome }), caller)).toEqual(refusal)
  })
})

test.each([
  [0, undefined],
  [PLAN.unitsPerRequest, undefined],
  [PLAN.unitsPerRequest + 1, refuse.tooManyUnits(PLAN, PLAN.unitsPerRequest + 1)],
])('%s units: refused only beyond the plan’s limit per request', (units, refusal) => {
  expect(price({ kind: 'parsed', mode: 'lines', rows: 1, units, heldBytes: 0 }, PLAN)).toEqual(refusal)
})
