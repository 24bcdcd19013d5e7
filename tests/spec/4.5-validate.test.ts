import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { startUnbound, type Unbound, ZONES } from '../support/dns-unbound.ts'
import {
  type Answer,
  bytesOnDisk,
  type RunningServer,
  removeFolder,
  runCommand,
  startServer,
} from '../support/server.ts'
import { until } from '../support/until.ts'
import cases from './cases/email-syntax.json' with { type: 'json' }

/** A server with a real resolver, and a server whose resolver behaves according to the names in queries. */
let unbound: Unbound
let dns: DnsServer
let real: RunningServer
let scripted: RunningServer
/** A Pro key on the server with the real resolver. */
let token: string

beforeAll(async () => {
  unbound = await startUnbound()
  dns = await startDnsServer((domain) => (domain.endsWith('silent.example') ? 'silence' : 'mx'))
  real = await startServer({ env: { DNS_SERVERS: unbound.address } })
  scripted = await startServer({ env: { DNS_SERVERS: dns.address, VALIDATE_DNS_SECONDS: '4' } })
  token = (await real.key('jo@example.com')).token
})
afterAll(async () => {
  for (const server of [real, scripted]) {
    await server.stop()
    await removeFolder(server.folder)
  }
  await unbound.stop()
  await dns.close()
})

async function validate(server: RunningServer, token: string, emails: unknown): Promise<Answer> {
  return await server.call({ path: '/api/validate', token, body: { emails } })
}

const addresses = (count: number, domain = 'mail.example') => Array.from({ length: count }, (_, i) => `p${i}@${domain}`)

describe('2.6 verdicts', () => {
  test.concurrent.each(Object.entries(ZONES).map(([domain, { mx }]) => ({ domain, mx })))(
    '$domain in DNS: mx $mx',
    async ({ domain, mx }) => {
      const disposable = domain === 'mailinator.com'
      const reason = disposable ? 'disposable' : mx === false ? 'no_mx' : 'ok'
      const valid = reason === 'ok'
      expect((await validate(real, token, [`jo@${domain}`])).json).toEqual({
        results: [{ email: `jo@${domain}`, valid, reason, mx, disposable, role: false }],
        summary: { total: 1, valid: Number(valid), invalid: Number(!valid), disposable: Number(disposable), role: 0 },
      })
    },
  )

  test('all cases of the syntax table in one request, in order', async () => {
    const { token } = await scripted.key('table@example.com')
    const answer = await validate(
      scripted,
      token,
      cases.map(({ email }) => email),
    )
    expect(answer.json).toMatchObject({
      results: cases.map(({ email, valid }) => ({
        email,
        reason: valid ? expect.stringMatching(/^(ok|disposable)$/) : 'syntax',
      })),
    })
  })

  test('an address is returned as submitted, a lone surrogate as its escape', async () => {
    const { token } = await scripted.key('echo@example.com')
    const answer = await scripted.call({
      path: '/api/validate',
      token,
      body: String.raw`{"emails":["\ud800@a.example","Jo@EXAMPLE.org"]}`,
    })
    expect(answer.text).toContain(String.raw`"email":"\ud800@a.example"`)
    expect(answer.text).toContain('"email":"Jo@EXAMPLE.org"')
  })

  test('repeated addresses each have a verdict, but their domain is looked up once', async () => {
    const { token } = await scripted.key('repeat@example.com')
    const answer = await validate(scripted, token, ['a@once.example', 'a@once.example', 'info@ONCE.example'])
    expect(answer.json).toMatchObject({ summary: { total: 3, valid: 3, role: 1 } })
    expect(dns.queries.get('once.example')).toBe(1)
    expect(await scripted.events('repeat@example.com')).toMatchObject([
      { mode: 'validate', rows: 3, removed: null, units: 6 },
    ])
  })

  test('if DNS does not answer in time, mx is null and the address valid', async () => {
    const { token } = await scripted.key('late@example.com')
    const answer = await validate(scripted, token, ['a@silent.example', 'a@prompt.example'])
    expect(answer.json).toMatchObject({
      results: [
        { mx: null, valid: true, reason: 'ok' },
        { mx: true, valid: true, reason: 'ok' },
      ],
    })
  })
})

test('1.8 no mail server is contacted: addresses of mail exchangers are not looked up', async () => {
  const { token } = await scripted.key('mailboxes@example.com')
  const before = new Set(dns.queries.keys())
  expect((await validate(scripted, token, ['jo@contacted.example'])).json).toMatchObject({ summary: { valid: 1 } })
  expect([...dns.queries.keys()].filter((domain) => !before.has(domain))).toEqual(['contacted.example'])
})

describe('4.5 requirements for a request', () => {
  test('a key is required, which is checked first', async () => {
    const large = await real.call({ path: '/api/validate', body: 'x'.repeat(6 * 1_024 * 1_024) })
    expect(large.status).toBe(401)
    expect(large.json).toEqual({ error: `an API key is required — create a free key at ${real.baseUrl}/app/keys` })
  })

  test('an unknown key', async () => {
    const answer = await validate(real, `kf_live_${'0'.repeat(64)}`, [])
    expect([answer.status, answer.json]).toEqual([401, { error: 'invalid api key' }])
  })

  test.each([
    { name: 'invalid JSON', body: '{"emails":[', error: 'invalid JSON body' },
    { name: 'not an object', body: '[]', error: 'emails must be an array of strings' },
    { name: 'no emails', body: '{}', error: 'emails must be an array of strings' },
    {
      name: 'a number among the emails',
      body: '{"emails":["a@b.example",1]}',
      error: 'emails must be an array of strings',
    },
  ])('400 without billing: $name', async ({ body, error }) => {
    const answer = await real.call({ path: '/api/validate', token, body })
    expect([answer.status, answer.json]).toEqual([400, { error }])
    expect((await real.events('jo@example.com')).at(-1)).toMatchObject({ units: 0, status: 400 })
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s is not allowed', async (method) => {
    const answer = await real.call({ path: '/api/validate', method })
    expect([answer.status, answer.json]).toEqual([405, { error: `POST a JSON body — see ${real.baseUrl}/api` }])
  })

  test('a preflight is answered', async () => {
    const answer = await real.call({ path: '/api/validate', method: 'OPTIONS' })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(answer.headers['access-control-allow-methods']).toBe('POST, OPTIONS')
  })
})

describe('4.5 units', () => {
  test('two per address, whatever the verdict; an empty list costs one', async () => {
    const { token } = await scripted.key('units@example.com')
    await validate(scripted, token, ['a@a.example', 'a@a.example', 'no address'])
    await validate(scripted, token, [])
    const events = await scripted.events('units@example.com')
    expect(events).toMatchObject([
      { rows: 3, units: 6, status: 200 },
      { rows: 0, units: 1, status: 200 },
    ])
  })

  test.each([
    {
      plan: 'free' as const,
      most: 100,
      error: 'request too large: 202 units, over the 200-unit Free per-request limit',
      units: 202,
      limit: 200,
    },
    {
      plan: 'starter' as const,
      most: 25_000,
      error: 'request too large: 50002 units, over the 50000-unit Starter per-request limit',
      units: 50_002,
      limit: 50_000,
    },
    {
      plan: 'pro' as const,
      most: 25_000,
      error: 'request too large: 50002 units, over the 50000-unit Pro per-request limit',
      units: 50_002,
      limit: 50_000,
    },
  ])(
    '$plan: $most addresses are accepted, one more is refused and costs nothing',
    async ({ plan, most, ...refusal }) => {
      const account = `most-${plan}@example.com`
      const { token } = await scripted.key(account, plan)
      const passed = await validate(scripted, token, addresses(most))
      expect([passed.status, passed.json]).toMatchObject([200, { summary: { total: most, valid: most } }])
      const refused = await validate(scripted, token, addresses(most + 1))
      expect([refused.status, refused.json]).toEqual([413, refusal])
      expect((await scripted.events(account)).map(({ units, status }) => [units, status])).toEqual([
        [2 * most, 200],
        [0, 413],
      ])
    },
  )

  test('both endpoints share the monthly units', async () => {
    const { token } = await scripted.key('month@example.com', 'free')
    for (let i = 0; i < 5; i++) expect((await validate(scripted, token, addresses(100))).status).toBe(200)
    const lines = await scripted.call({ token, body: { mode: 'lines', data: 'a' } })
    expect([lines.status, lines.json]).toMatchObject([
      429,
      { error: 'monthly unit limit reached', limit: 1_000, used: 1_000 },
    ])
    expect((await validate(scripted, token, [])).status).toBe(429)
  })

  test('both endpoints share the burst window', async () => {
    const { token } = await scripted.key('burst@example.com', 'free')
    for (let i = 0; i < 30; i++) {
      expect((await validate(scripted, token, [])).status).toBe(200)
      expect((await scripted.call({ token, body: { mode: 'lines', data: 'a' } })).status).toBe(200)
    }
    const refused = await validate(scripted, token, [])
    expect([refused.status, refused.json]).toMatchObject([
      429,
      { error: 'rate limit reached: 60 requests per hour on Free', limit: 60 },
    ])
    expect(refused.headers['retry-after']).toBe(String((refused.json as { retryAfter: number }).retryAfter))
  })
})

describe('a client that disconnects', () => {
  test('its look-ups end, and its units stay billed with status 499', async () => {
    const { token } = await scripted.key('gone@example.com')
    const body = JSON.stringify({ emails: Array.from({ length: 5_000 }, (_, i) => `a@d${i}.silent.example`) })
    const headers = { Authorization: `Bearer ${token}` }
    const call = request({
      host: '127.0.0.1',
      port: scripted.port,
      path: '/api/validate',
      method: 'POST',
      headers,
      agent: false,
    })
    call.on('error', () => {})
    call.end(body)
    await until('a domain was queried', () => dns.queries.has('d0.silent.example'))
    call.destroy()
    await expect
      .poll(() => scripted.events('gone@example.com'))
      .toMatchObject([{ mode: 'validate', rows: 5_000, units: 10_000, status: 499 }])
    expect([...dns.queries.keys()].filter((domain) => domain.endsWith('silent.example')).length).toBeLessThan(5_000)
  })
})

describe('1.6 payloads are not stored', () => {
  test('addresses and domains are neither on disk nor in the log', async () => {
    const { token } = await scripted.key('privacy@example.com')
    await validate(scripted, token, ['whisper.quietly@secret-list.example', 'broken whisper@secret-list'])
    expect(dns.queries.has('secret-list.example')).toBe(true)
    for (const word of ['whisper', 'secret-list']) {
      expect((await bytesOnDisk(scripted.folder)).includes(word)).toBe(false)
      expect(await scripted.log()).not.toContain(word)
    }
  })
})

describe('settings of the operator', () => {
  const environment = (extra: Record<string, string>) => ({
    ...process.env,
    BASE_URL: '',
    DATABASE_URL: `sqlite:${scripted.folder}/other.db`,
    ...extra,
  })

  test("the operator's files add to and except from the list of disposable domains", async () => {
    const extra = join(scripted.folder, 'extra.txt')
    const except = join(scripted.folder, 'except.txt')
    await writeFile(extra, '# ours\nburner.example\n')
    await writeFile(except, 'mailinator.com\n')
    const server = await startServer({
      env: { DNS_SERVERS: dns.address, DISPOSABLE_EXTRA: extra, DISPOSABLE_EXCEPT: except },
    })
    const { token } = await server.key('lists@example.com')
    const answer = await validate(server, token, ['a@x.burner.example', 'a@mailinator.com', 'a@yopmail.com'])
    await server.stop()
    await removeFolder(server.folder)
    expect(answer.json).toMatchObject({ results: [{ disposable: true }, { disposable: false }, { disposable: true }] })
  })

  test('an invalid line of a list prevents the start, with one line that names it', async () => {
    const extra = join(scripted.folder, 'bad.txt')
    await writeFile(extra, 'good.example\njo@bad.example\n')
    const { code, stderr } = await runCommand(['serve'], environment({ DISPOSABLE_EXTRA: extra }), scripted.folder)
    expect(code).toBe(1)
    expect(stderr).toBe(`keepfirst: DISPOSABLE_EXTRA ${extra}:2 is not a domain: "jo@bad.example"\n`)
  })

  test('an invalid name server prevents the start, with one line that names it', async () => {
    const { code, stderr } = await runCommand(
      ['serve'],
      environment({ DNS_SERVERS: '127.0.0.1:99999' }),
      scripted.folder,
    )
    expect(code).toBe(1)
    expect(stderr).toMatch(/^keepfirst: DNS_SERVERS must .*"127\.0\.0\.1:99999".*\n$/)
  })
})
