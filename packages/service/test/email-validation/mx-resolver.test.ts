import { afterAll, describe, expect, test } from 'vitest'
import { type Behaviour, type DnsServer, type Script, startDnsServer } from '../../../../tests/support/dns-server.ts'
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

const patient = { deadlineMs: 60_000, signal: new AbortController().signal }

async function presenceOf(mx: MxResolver, domains: readonly string[], options = patient) {
  const questions = mx.open(options)
  for (const domain of domains) questions.ask(domain)
  return await questions.answers()
}

function numbered(count: number, prefix = 'd'): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}.example`)
}

describe.concurrent('what DNS answers, and what it says about mail', () => {
  test.each<{ name: string; behaviour: Behaviour; mx: boolean | null }>([
    { name: 'an MX record: mail is taken', behaviour: 'mx', mx: true },
    { name: 'no such domain: definitely absent', behaviour: 'nxdomain', mx: false },
    { name: 'a domain without MX records: definitely absent', behaviour: 'nodata', mx: false },
    { name: 'a null MX (RFC 7505): definitely absent', behaviour: 'null mx', mx: false },
    { name: 'a null MX beside a real one: mail is taken', behaviour: 'null mx and mx', mx: true },
    { name: 'a truncated answer is asked for again over TCP', behaviour: 'truncated', mx: true },
    { name: 'a truncated answer whose connection breaks: not known', behaviour: 'truncated, then cut off', mx: null },
    { name: 'SERVFAIL: not known', behaviour: 'servfail', mx: null },
    { name: 'REFUSED: not known', behaviour: 'refused', mx: null },
    { name: 'silence: not known', behaviour: 'silence', mx: null },
    { name: 'garbage: not known', behaviour: 'garbage', mx: null },
    { name: 'an empty packet: not known', behaviour: 'empty', mx: null },
    { name: 'an answer that was cut short: not known', behaviour: 'cut short', mx: null },
    { name: 'NXDOMAIN under another id is not an answer: not known', behaviour: 'wrong id', mx: null },
    { name: 'NXDOMAIN to another question is not an answer: not known', behaviour: 'other question', mx: null },
  ])('$name', async ({ behaviour, mx }) => {
    const server = await dns(() => behaviour)
    const known = await presenceOf(new MxResolver([server.address]), ['example.com'])
    expect(known.get('example.com') ?? null).toBe(mx)
    expect(server.askedByTcp.length > 0).toBe(behaviour.startsWith('truncated'))
  })
})

describe('two passes', () => {
  test('what was settled on the first pass is not asked again', async () => {
    const server = await dns((domain) => (domain.startsWith('no') ? 'nxdomain' : 'mx'))
    await presenceOf(new MxResolver([server.address]), ['yes.example', 'no.example'])
    expect(Object.fromEntries(server.asked)).toEqual({ 'yes.example': 1, 'no.example': 1 })
  })

  test('a failure on the first pass is asked for once more, and the second answer counts', async () => {
    const server = await dns((_, nth) => (nth === 1 ? 'servfail' : 'mx'))
    expect((await presenceOf(new MxResolver([server.address]), ['a.example'])).get('a.example')).toBe(true)
    expect(server.asked.get('a.example')).toBe(2)
  })

  test('two failures are not known, and no third question is asked', async () => {
    const server = await dns(() => 'servfail')
    expect((await presenceOf(new MxResolver([server.address]), ['a.example'])).get('a.example')).toBeNull()
    expect(server.asked.get('a.example')).toBe(2)
  })

  test('the second pass goes to the second server', async () => {
    const failing = await dns(() => 'refused')
    const working = await dns(() => 'mx')
    const mx = new MxResolver([failing.address, working.address])
    expect((await presenceOf(mx, ['a.example'])).get('a.example')).toBe(true)
    expect(working.asked.get('a.example')).toBe(1)
  })

  test('the second answer is waited for as long after quick ones as before them', async () => {
    const server = await dns((domain, nth) => {
      if (!domain.startsWith('slow')) return 'mx'
      return nth === 1 ? 'servfail' : { behaviour: 'mx', delayMs: 3_000 }
    })
    const mx = new MxResolver([server.address])
    for (const domain of numbered(20)) await presenceOf(mx, [domain])
    expect((await presenceOf(mx, ['slow.example'])).get('slow.example')).toBe(true)
  })

  test('the first pass waits one second for an answer; c-ares by itself would wait two', async () => {
    const server = await dns((_, nth) => (nth === 1 ? { behaviour: 'mx', delayMs: 1_700 } : 'mx'))
    expect((await presenceOf(new MxResolver([server.address]), ['late.example'])).get('late.example')).toBe(true)
    expect(server.asked.get('late.example')).toBe(2)
  })

  test('every domain has had its first pass before any has its second', async () => {
    const passes: number[] = []
    const server = await dns((_, nth) => {
      passes.push(nth)
      return 'servfail'
    })
    await presenceOf(new MxResolver([server.address]), numbered(1_000))
    expect(passes).toHaveLength(2_000)
    // Up to 300 first questions may still be on their way when the first second one is asked.
    expect(passes.lastIndexOf(1)).toBeLessThan(1_000 + 300)
  })

  test('a silent first server is replaced by the next', async () => {
    const silent = await dns(() => 'silence')
    const working = await dns(() => 'mx')
    const known = await presenceOf(new MxResolver([silent.address, working.address]), numbered(1_000))
    expect([...known.values()]).toEqual(numbered(1_000).map(() => true))
    expect(silent.asked.size).toBeLessThan(600)
  })
})

describe('sharing', () => {
  test('a domain is looked up once, however often one request asks', async () => {
    const server = await dns(() => 'mx')
    await presenceOf(new MxResolver([server.address]), ['a.example', 'a.example', 'b.example', 'a.example'])
    expect(Object.fromEntries(server.asked)).toEqual({ 'a.example': 1, 'b.example': 1 })
  })

  test('a domain is looked up once for all requests that ask at the same time', async () => {
    const server = await dns(() => ({ behaviour: 'mx', delayMs: 100 }))
    const mx = new MxResolver([server.address])
    const answers = await Promise.all(numbered(10).map(() => presenceOf(mx, numbered(500))))
    for (const known of answers) expect([...known.values()]).toEqual(numbered(500).map(() => true))
    expect([...server.asked.values()]).toEqual(numbered(500).map(() => 1))
  })

  test('nothing is remembered once the requests are over', async () => {
    const server = await dns((_, nth) => (nth === 1 ? 'nxdomain' : 'mx'))
    const mx = new MxResolver([server.address])
    expect((await presenceOf(mx, ['a.example'])).get('a.example')).toBe(false)
    expect((await presenceOf(mx, ['a.example'])).get('a.example')).toBe(true)
  })

  test('one that hangs up does not take the answer from the others', async () => {
    const server = await dns(() => ({ behaviour: 'mx', delayMs: 300 }))
    const mx = new MxResolver([server.address])
    const client = new AbortController()
    const left = presenceOf(mx, ['a.example'], { ...patient, signal: client.signal })
    const stayed = presenceOf(mx, ['a.example'])
    setTimeout(() => client.abort(new Error('gone')), 50)
    await expect(left).rejects.toThrow('gone')
    expect((await stayed).get('a.example')).toBe(true)
    expect(server.asked.get('a.example')).toBe(1)
  })
})

describe('bounds', () => {
  test('at most 300 queries are in flight, whoever asks', async () => {
    const server = await dns(() => ({ behaviour: 'mx', delayMs: 30 }))
    const mx = new MxResolver([server.address])
    await Promise.all(numbered(8, 'r').map((request) => presenceOf(mx, numbered(250, `${request}.d`))))
    expect(server.mostAtOnce).toBeGreaterThan(0)
    expect(server.mostAtOnce).toBeLessThanOrEqual(300)
    expect(mx.inFlight).toBe(0)
  })

  test('a short list is answered while a long one of dead domains waits', async () => {
    const server = await dns((domain) => (domain.startsWith('dead') ? 'silence' : 'mx'))
    const mx = new MxResolver([server.address])
    const client = new AbortController()
    let ended = false
    const long = presenceOf(mx, numbered(5_000, 'dead'), { ...patient, signal: client.signal }).catch(() => {
      ended = true
    })
    while (mx.inFlight < 200) await new Promise((resolve) => setImmediate(resolve))
    expect((await presenceOf(mx, ['a.example', 'b.example', 'c.example'])).size).toBe(3)
    expect(ended).toBe(false)
    client.abort()
    await long
    expect(ended).toBe(true)
    expect(mx.inFlight).toBe(0)
  })

  test('what is not known at the deadline is left open, what is known stays', async () => {
    const server = await dns((domain) => (domain.startsWith('dead') ? 'silence' : 'mx'))
    const mx = new MxResolver([server.address])
    const known = await presenceOf(mx, ['dead.example', 'alive.example'], { ...patient, deadlineMs: 3_000 })
    expect(Object.fromEntries(known)).toEqual({ 'alive.example': true })
    expect(mx.inFlight).toBe(0)
  })

  test('when the server stops, waiting and new requests are told, and no more queries are sent', async () => {
    const server = await dns((domain) => (domain.startsWith('dead') ? 'silence' : 'mx'))
    const mx = new MxResolver([server.address])
    const known = presenceOf(mx, ['dead.example', 'alive.example'])
    while (!server.asked.has('alive.example')) await new Promise((later) => setTimeout(later, 10))
    setTimeout(() => mx.stop(), 200)
    await expect(known).rejects.toThrow(ResolverStopped)
    await expect(presenceOf(mx, ['late.example'])).rejects.toThrow(ResolverStopped)
    expect([mx.inFlight, server.asked.has('late.example')]).toEqual([0, false])
  })

  test('a request that was hung up on before it began asks nothing', async () => {
    const server = await dns(() => 'mx')
    const mx = new MxResolver([server.address])
    const signal = AbortSignal.abort(new Error('gone'))
    await expect(presenceOf(mx, ['a.example'], { ...patient, signal })).rejects.toThrow('gone')
    expect(server.asked.size).toBe(0)
  })

  test('no domains: an answer at once', async () => {
    expect((await presenceOf(new MxResolver(['127.0.0.1:9']), [])).size).toBe(0)
  })
})
