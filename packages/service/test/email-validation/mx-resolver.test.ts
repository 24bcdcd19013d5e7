import { afterAll, describe, expect, test } from 'vitest'
import { type Behaviour, type DnsServer, type Script, startDnsServer } from '../../../../tests/support/dns-server.ts'
import { until } from '../../../../tests/support/until.ts'
import { MxResolver, ResolverStopped } from '../../src/email-validation/mx-resolver.ts'

const started: DnsServer[] = []
afterAll(async () => {
  for (const server of started) await server.close()
})

async function dns(script: Script): Promise<DnsServer> {
  const server = await startDnsServer(script)
  started.push(server)
  return server
}

const longDeadline = { deadlineMs: 60_000, signal: new AbortController().signal }

async function presenceOf(mx: MxResolver, domains: readonly string[], options = longDeadline) {
  const questions = mx.open(options)
  for (const domain of domains) questions.ask(domain)
  return await questions.answers()
}

function numbered(count: number, prefix = 'd'): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}.example`)
}

describe.concurrent('what an answer of DNS means', () => {
  test.each<{ name: string; behaviour: Behaviour; mx: boolean | null }>([
    { name: 'an MX record: accepts mail', behaviour: 'mx', mx: true },
    { name: 'no such domain: definitely absent', behaviour: 'nxdomain', mx: false },
    { name: 'a domain without MX records: definitely absent', behaviour: 'nodata', mx: false },
    { name: 'a null MX (RFC 7505): definitely absent', behaviour: 'null mx', mx: false },
    { name: 'a null MX and a real one: accepts mail', behaviour: 'null mx and mx', mx: true },
    { name: 'a truncated answer is requested again over TCP', behaviour: 'truncated', mx: true },
    {
      name: 'a truncated answer whose TCP connection breaks: unknown',
      behaviour: 'truncated, then disconnected',
      mx: null,
    },
    { name: 'SERVFAIL: unknown', behaviour: 'servfail', mx: null },
    { name: 'REFUSED: unknown', behaviour: 'refused', mx: null },
    { name: 'silence: unknown', behaviour: 'silence', mx: null },
    { name: 'garbage: unknown', behaviour: 'garbage', mx: null },
    { name: 'an empty packet: unknown', behaviour: 'empty', mx: null },
    { name: 'an incomplete answer: unknown', behaviour: 'incomplete', mx: null },
    { name: 'NXDOMAIN with another id is not an answer: unknown', behaviour: 'wrong id', mx: null },
    { name: 'NXDOMAIN for another question is not an answer: unknown', behaviour: 'other question', mx: null },
  ])('$name', async ({ behaviour, mx }) => {
    const server = await dns(() => behaviour)
    const known = await presenceOf(new MxResolver([server.address]), ['example.com'])
    expect(known.get('example.com') ?? null).toBe(mx)
    expect(server.tcpQueries.length > 0).toBe(behaviour.startsWith('truncated'))
  })
})

describe('two passes', () => {
  test('a domain that the first pass settles is not queried again', async () => {
    const server = await dns((domain) => (domain.startsWith('no') ? 'nxdomain' : 'mx'))
    await presenceOf(new MxResolver([server.address]), ['yes.example', 'no.example'])
    expect(Object.fromEntries(server.queries)).toEqual({ 'yes.example': 1, 'no.example': 1 })
  })

  test('a query that fails on the first pass is repeated once, and the second answer counts', async () => {
    const server = await dns((_, nth) => (nth === 1 ? 'servfail' : 'mx'))
    expect((await presenceOf(new MxResolver([server.address]), ['a.example'])).get('a.example')).toBe(true)
    expect(server.queries.get('a.example')).toBe(2)
  })

  test('after two failures the domain is unknown and not queried again', async () => {
    const server = await dns(() => 'servfail')
    expect((await presenceOf(new MxResolver([server.address]), ['a.example'])).get('a.example')).toBeNull()
    expect(server.queries.get('a.example')).toBe(2)
  })

  test('the second pass goes to the second server', async () => {
    const failing = await dns(() => 'refused')
    const working = await dns(() => 'mx')
    const mx = new MxResolver([failing.address, working.address])
    expect((await presenceOf(mx, ['a.example'])).get('a.example')).toBe(true)
    expect(working.queries.get('a.example')).toBe(1)
  })

  test('quick answers do not shorten the time limit of the second pass', async () => {
    const server = await dns((domain, nth) => {
      if (!domain.startsWith('slow')) return 'mx'
      return nth === 1 ? 'servfail' : { behaviour: 'mx', delayMs: 3_000 }
    })
    const mx = new MxResolver([server.address])
    for (const domain of numbered(20)) await presenceOf(mx, [domain])
    expect((await presenceOf(mx, ['slow.example'])).get('slow.example')).toBe(true)
  })

  test('the first pass waits for an answer for one second; the default of c-ares is two', async () => {
    const server = await dns((_, nth) => (nth === 1 ? { behaviour: 'mx', delayMs: 1_700 } : 'mx'))
    expect((await presenceOf(new MxResolver([server.address]), ['late.example'])).get('late.example')).toBe(true)
    expect(server.queries.get('late.example')).toBe(2)
  })

  test('the second pass begins when all domains have had their first', async () => {
    const passes: number[] = []
    const server = await dns((_, nth) => {
      passes.push(nth)
      return 'servfail'
    })
    await presenceOf(new MxResolver([server.address]), numbered(1_000))
    expect(passes).toHaveLength(2_000)
    // Up to 300 queries of the first pass may still be in flight when the second pass begins.
    expect(passes.lastIndexOf(1)).toBeLessThan(1_000 + 300)
  })

  test('a silent first server is replaced by the next', async () => {
    const silent = await dns(() => 'silence')
    const working = await dns(() => 'mx')
    const known = await presenceOf(new MxResolver([silent.address, working.address]), numbered(1_000))
    expect([...known.values()]).toEqual(numbered(1_000).map(() => true))
    expect(silent.queries.size).toBeLessThan(600)
  })
})

describe('sharing', () => {
  test('a domain that occurs several times in a request is looked up once', async () => {
    const server = await dns(() => 'mx')
    await presenceOf(new MxResolver([server.address]), ['a.example', 'a.example', 'b.example', 'a.example'])
    expect(Object.fromEntries(server.queries)).toEqual({ 'a.example': 1, 'b.example': 1 })
  })

  test('a domain in several concurrent requests is looked up once', async () => {
    const server = await dns(() => ({ behaviour: 'mx', delayMs: 100 }))
    const mx = new MxResolver([server.address])
    const answers = await Promise.all(numbered(10).map(() => presenceOf(mx, numbered(500))))
    for (const known of answers) expect([...known.values()]).toEqual(numbered(500).map(() => true))
    expect([...server.queries.values()]).toEqual(numbered(500).map(() => 1))
  })

  test('nothing is cached after the requests', async () => {
    const server = await dns((_, nth) => (nth === 1 ? 'nxdomain' : 'mx'))
    const mx = new MxResolver([server.address])
    expect((await presenceOf(mx, ['a.example'])).get('a.example')).toBe(false)
    expect((await presenceOf(mx, ['a.example'])).get('a.example')).toBe(true)
  })

  test('if one client disconnects, the others still get the answer', async () => {
    const client = new AbortController()
    const server = await dns(() => {
      client.abort(new Error('gone'))
      return 'mx'
    })
    const mx = new MxResolver([server.address])
    const left = presenceOf(mx, ['a.example'], { ...longDeadline, signal: client.signal })
    const stayed = presenceOf(mx, ['a.example'])
    await expect(left).rejects.toThrow('gone')
    expect((await stayed).get('a.example')).toBe(true)
    expect(server.queries.get('a.example')).toBe(1)
  })
})

describe('bounds', () => {
  test('at most 300 queries are in flight for all requests together', async () => {
    const server = await dns(() => ({ behaviour: 'mx', delayMs: 30 }))
    const mx = new MxResolver([server.address])
    await Promise.all(numbered(8, 'r').map((request) => presenceOf(mx, numbered(250, `${request}.d`))))
    expect(server.peakInFlight).toBeGreaterThan(0)
    expect(server.peakInFlight).toBeLessThanOrEqual(300)
    expect(mx.inFlight).toBe(0)
  })

  test('a short list is answered while a long list of dead domains is waiting', async () => {
    const server = await dns((domain) => (domain.startsWith('dead') ? 'silence' : 'mx'))
    const mx = new MxResolver([server.address])
    const client = new AbortController()
    let ended = false
    const long = presenceOf(mx, numbered(5_000, 'dead'), { ...longDeadline, signal: client.signal }).catch(() => {
      ended = true
    })
    await until('many queries were in flight', () => mx.inFlight >= 200)
    expect((await presenceOf(mx, ['a.example', 'b.example', 'c.example'])).size).toBe(3)
    expect(ended).toBe(false)
    client.abort()
    await long
    expect(ended).toBe(true)
    expect(mx.inFlight).toBe(0)
  })

  test('at the deadline, the answers so far are returned', async () => {
    const server = await dns((domain) => (domain.startsWith('dead') ? 'silence' : 'mx'))
    const mx = new MxResolver([server.address])
    const known = await presenceOf(mx, ['dead.example', 'alive.example'], { ...longDeadline, deadlineMs: 3_000 })
    expect(Object.fromEntries(known)).toEqual({ 'alive.example': true })
    expect(mx.inFlight).toBe(0)
  })

  test('when the server stops, waiting and new requests are rejected, and no more queries are sent', async () => {
    const server = await dns((domain) => (domain.startsWith('dead') ? 'silence' : 'mx'))
    const mx = new MxResolver([server.address])
    const known = presenceOf(mx, ['dead.example', 'alive.example'])
    await until('the domains were queried', () => server.queries.has('alive.example'))
    mx.stop()
    await expect(known).rejects.toThrow(ResolverStopped)
    await expect(presenceOf(mx, ['late.example'])).rejects.toThrow(ResolverStopped)
    expect([mx.inFlight, server.queries.has('late.example')]).toEqual([0, false])
  })

  test('a request whose client disconnected before it began sends no queries', async () => {
    const server = await dns(() => 'mx')
    const mx = new MxResolver([server.address])
    const signal = AbortSignal.abort(new Error('gone'))
    await expect(presenceOf(mx, ['a.example'], { ...longDeadline, signal })).rejects.toThrow('gone')
    expect(server.queries.size).toBe(0)
  })

  test('no domains: an immediate answer', async () => {
    expect((await presenceOf(new MxResolver(['127.0.0.1:9']), [])).size).toBe(0)
  })
})
