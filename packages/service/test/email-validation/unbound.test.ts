import type { ValidateAnswer } from '@keepfirst/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startUnbound, type Unbound, ZONES } from '../../../../tests/support/dns-unbound.ts'
import { disposableDomains } from '../../src/email-validation/disposable.ts'
import { MxResolver } from '../../src/email-validation/mx-resolver.ts'
import { judge } from '../../src/email-validation/verdict.ts'

let unbound: Unbound
beforeAll(async () => {
  unbound = await startUnbound()
})
afterAll(() => unbound.stop())

async function verdictsOf(emails: readonly string[]) {
  const sources = { isDisposable: disposableDomains({ extra: [], except: [] }), mx: new MxResolver([unbound.address]) }
  const answer = await judge(emails, sources, { deadlineMs: 60_000, signal: new AbortController().signal })
  const { results }: ValidateAnswer = JSON.parse(new TextDecoder().decode(answer))
  return results
}

describe.concurrent('with a real resolver', () => {
  test.each(Object.entries(ZONES).map(([domain, { mx }]) => ({ domain, mx })))(
    '$domain: $mx',
    async ({ domain, mx }) => {
      expect((await verdictsOf([`jo@${domain}`]))[0]).toMatchObject({
        mx,
        valid: mx !== false && domain !== 'mailinator.com',
      })
    },
  )

  test('an international domain is looked up in its ASCII form', async () => {
    expect(await verdictsOf(['jo@MÜNCHEN.example'])).toMatchObject([{ email: 'jo@MÜNCHEN.example', mx: true }])
  })

  test('the verdicts on all domains are in the order of the request', async () => {
    const emails = Object.keys(ZONES).map((domain) => `jo@${domain}`)
    expect((await verdictsOf(emails)).map(({ email, mx }) => [email, mx])).toEqual(
      Object.entries(ZONES).map(([domain, { mx }]) => [`jo@${domain}`, mx]),
    )
  })
})
