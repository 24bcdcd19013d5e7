import type { EmailVerdict, ValidateAnswer } from '@keepfirst/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { disposableDomains } from '../../src/email-validation/disposable.ts'
import type { MxPresence } from '../../src/email-validation/mx-client.ts'
import { judge, type ValidationSources } from '../../src/email-validation/verdict.ts'

const options = { deadlineMs: 60_000, signal: new AbortController().signal }

/** Sources that use a table instead of DNS; a domain that is not in it is unknown. */
function sourcesWith(table: Readonly<Record<string, MxPresence>>): ValidationSources & { readonly queried: string[] } {
  const queried: string[] = []
  const known = new Map(Object.entries(table))
  return {
    queried,
    isDisposable: disposableDomains({ extra: [], except: [] }),
    mx: { open: () => ({ ask: (domain) => queried.push(domain), answers: async () => known }) },
  }
}

const defaultSources = sourcesWith({
  'good.example': true,
  'absent.example': false,
  'failing.example': null,
  'mailinator.com': true,
  'yopmail.com': false,
  'xn--mnchen-3ya.example': true,
})

/** The answer; its bytes have to equal the output of JSON.stringify. */
async function judged(emails: readonly string[], sources: ValidationSources = defaultSources): Promise<ValidateAnswer> {
  const text = new TextDecoder().decode(await judge(emails, sources, options))
  const answer: ValidateAnswer = JSON.parse(text)
  expect(text).toBe(JSON.stringify(answer))
  return answer
}

type Rest = Omit<EmailVerdict, 'email'>
const syntax: Rest = { valid: false, reason: 'syntax', mx: null, disposable: false, role: false }
const ok: Rest = { valid: true, reason: 'ok', mx: true, disposable: false, role: false }
const disposable: Rest = { valid: false, reason: 'disposable', mx: true, disposable: true, role: false }

describe('2.6 every member of a verdict', () => {
  test.each<{ name: string; email: string; verdict: Rest }>([
    { name: 'a mail exchanger', email: 'jo@good.example', verdict: ok },
    {
      name: 'definitely no mail exchanger',
      email: 'jo@absent.example',
      verdict: { ...ok, valid: false, reason: 'no_mx', mx: false },
    },
    { name: 'a failed look-up never invalidates', email: 'jo@failing.example', verdict: { ...ok, mx: null } },
    {
      name: 'a look-up that did not end in time never invalidates',
      email: 'jo@late.example',
      verdict: { ...ok, mx: null },
    },
    { name: 'invalid syntax: nothing else is checked', email: 'info@mailinator', verdict: syntax },
    { name: 'a role account is valid', email: 'Info@good.example', verdict: { ...ok, role: true } },
    { name: 'a role account with a tag', email: 'info+x@good.example', verdict: { ...ok, role: true } },
    { name: 'disposable, with its mx', email: 'jo@mailinator.com', verdict: disposable },
    { name: 'disposable comes before no_mx', email: 'jo@YOPmail.com', verdict: { ...disposable, mx: false } },
    {
      name: 'a subdomain of a disposable domain',
      email: 'jo@a.b.mailinator.com',
      verdict: { ...disposable, mx: null },
    },
    { name: 'disposable and a role', email: 'sales@mailinator.com', verdict: { ...disposable, role: true } },
    { name: 'an international domain', email: 'jo@MÜNCHEN.example', verdict: ok },
    { name: 'a lone surrogate is returned', email: 'j\ud800@good.example', verdict: syntax },
    { name: 'an empty address', email: '', verdict: syntax },
  ])('$name', async ({ email, verdict }) => {
    const answer = await judged([email])
    expect(answer.results).toEqual([{ email, ...verdict }])
  })

  test('the summary counts repeated addresses each time', async () => {
    const emails = [
      'jo@good.example',
      'jo@good.example',
      'info@mailinator.com',
      'info@good.example',
      'jo@',
      'x@absent.example',
    ]
    const { summary } = await judged(emails)
    expect(summary).toEqual({ total: 6, valid: 3, invalid: 3, disposable: 1, role: 2 })
  })

  test('no addresses', async () => {
    expect(await judged([])).toEqual({
      results: [],
      summary: { total: 0, valid: 0, invalid: 0, disposable: 0, role: 0 },
    })
  })

  test('no domain is looked up if the syntax is invalid', async () => {
    const none = sourcesWith({})
    await judged(['a b@good.example', 'jo@localhost', 'jo@192.0.2.1'], none)
    expect(none.queried).toEqual([])
  })
})

const email = fc
  .tuple(
    fc.constantFrom('jo', 'info', 'a.b', 'sales+x', 'bad..dots', 'é', ' ', '\ud83d', ''),
    fc.constantFrom(
      'good.example',
      'absent.example',
      'failing.example',
      'late.example',
      'mailinator.com',
      'x.yopmail.com',
      'MÜNCHEN.example',
      'localhost',
    ),
  )
  .map((parts) => parts.join('@'))
const emails = fc.array(fc.oneof({ weight: 4, arbitrary: email }, fc.string({ unit: 'binary' })), { maxLength: 250 })

describe('any list of addresses', () => {
  test('order and count are kept, and the summary adds up', async () => {
    await fc.assert(
      fc.asyncProperty(emails, async (list) => {
        const { results, summary } = await judged(list)
        expect(results.map((verdict) => verdict.email)).toEqual(list)
        expect(summary).toEqual({
          total: list.length,
          valid: results.filter((verdict) => verdict.valid).length,
          invalid: results.filter((verdict) => !verdict.valid).length,
          disposable: results.filter((verdict) => verdict.disposable).length,
          role: results.filter((verdict) => verdict.role).length,
        })
        expect(summary.valid + summary.invalid).toBe(summary.total)
      }),
    )
  })

  test('valid means: valid syntax, not disposable, mail exchanger not definitely absent', async () => {
    await fc.assert(
      fc.asyncProperty(emails, async (list) => {
        for (const { valid, reason, mx, disposable } of (await judged(list)).results) {
          expect(valid).toBe(reason === 'ok')
          expect(valid).toBe(reason !== 'syntax' && !disposable && mx !== false)
          if (mx === null) expect(reason).not.toBe('no_mx')
        }
      }),
    )
  })

  test('a verdict depends only on its address, not on the order or the rest of the batch', async () => {
    await fc.assert(
      fc.asyncProperty(emails, fc.nat(), async (list, cut) => {
        const at = list.length === 0 ? 0 : cut % list.length
        const whole = (await judged(list)).results
        const head = (await judged(list.slice(0, at))).results
        const tail = (await judged(list.slice(at))).results
        expect([...head, ...tail]).toEqual(whole)
        expect((await judged([...list].reverse())).results).toEqual([...whole].reverse())
      }),
    )
  })
})

test('if the client disconnects, the reason is thrown', async () => {
  const gone: ValidationSources = {
    ...defaultSources,
    mx: { open: () => ({ ask: () => {}, answers: () => Promise.reject(new Error('gone')) }) },
  }
  await expect(judge(['jo@good.example'], gone, options)).rejects.toThrow('gone')
})
