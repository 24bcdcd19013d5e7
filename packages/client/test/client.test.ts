import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { PLANS, refuse } from '@keepfirst/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  AbortError,
  AllowanceError,
  ApiError,
  AuthenticationError,
  BusyError,
  ConnectionError,
  ForbiddenError,
  FuzzyTimeError,
  InvalidInputError,
  InvalidRequestError,
  Keepfirst,
  KeepfirstError,
  type KeepfirstOptions,
  RateLimitError,
  ServerError,
  TimeoutError,
  TooLargeError,
  UnexpectedAnswerError,
} from '../src/index.ts'
import {
  answer,
  closeConnection,
  type ScriptedServer,
  silence,
  startScriptedServer,
  type Turn,
  truncatedAnswer,
} from './support/scripted-server.ts'

const API_KEY = `kf_live_${'0123456789abcdef'.repeat(4)}`
const RESULT = { result: ['a'], kept: 1, removed: 0 }
const BURST = refuse.burst(PLANS.starter, { requests: 60, windowSeconds: 60 }, 17)
const MONTH = refuse.monthSpent(PLANS.free, 990, new Date(Date.UTC(2030, 0, 1)))

const succeed = answer(200, RESULT)
const refusal = ({ status, body }: { status: number; body: object }, headers = {}) => answer(status, body, headers)

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())

/** A client whose waits are recorded and take no time; `random` is a constant. */
function testClient(options: Partial<KeepfirstOptions> = {}): { client: Keepfirst; waitsMs: number[] } {
  const waitsMs: number[] = []
  let nowMs = 0
  const sleep = async (durationMs: number) => {
    waitsMs.push(durationMs)
    nowMs += durationMs
  }
  const client = new Keepfirst({
    baseUrl: server.baseUrl,
    apiKey: API_KEY,
    sleep,
    now: () => nowMs,
    random: () => 0.5,
    ...options,
  })
  return { client, waitsMs }
}

async function failureOf(call: Promise<unknown>): Promise<KeepfirstError> {
  const failure = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (failure instanceof KeepfirstError) return failure
  throw new Error(`not a KeepfirstError: ${inspect(failure)}`)
}

describe('what is sent', () => {
  const validation = { results: [], summary: { total: 0, valid: 0, invalid: 0, disposable: 0, role: 0 } }

  test.each([
    {
      name: 'lines',
      call: (client: Keepfirst) => client.lines('a\na', { trim: true }),
      url: '/api/dedupe',
      body: '{"mode":"lines","data":"a\\na","options":{"trim":true}}',
      answers: RESULT,
    },
    {
      name: 'rows',
      call: (client: Keepfirst) => client.rows('h\na', { keyColumns: [0] }),
      url: '/api/dedupe',
      body: '{"mode":"rows","data":"h\\na","options":{"keyColumns":[0]}}',
      answers: { result: 'h\na', kept: 1, removed: 0 },
    },
    {
      name: 'json',
      call: (client: Keepfirst) => client.json([{ id: 1 }], { key: 'id' }),
      url: '/api/dedupe',
      body: '{"mode":"json","data":[{"id":1}],"options":{"key":"id"}}',
      answers: { result: [{ id: 1 }], kept: 1, removed: 0 },
    },
    {
      name: 'validate',
      call: (client: Keepfirst) => client.validate(['a@example.com']),
      url: '/api/validate',
      body: '{"emails":["a@example.com"]}',
      answers: validation,
    },
  ])('$name', async ({ call, url, body, answers }) => {
    server.play(answer(200, answers))
    expect(await call(testClient().client)).toEqual(answers)
    expect(server.received).toMatchObject([
      {
        method: 'POST',
        url,
        body,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${API_KEY}` },
      },
    ])
  })

  test('without a key, no Authorization header is sent', async () => {
    server.play(succeed)
    await testClient({ apiKey: undefined }).client.lines('a')
    expect(server.received[0]?.headers).not.toHaveProperty('authorization')
  })

  test('a base address may have a path and end in slashes', async () => {
    server.play(succeed)
    await testClient({ baseUrl: `${server.baseUrl}/tools//` }).client.lines('a')
    expect(server.received[0]?.url).toBe('/tools/api/dedupe')
  })

  test('jsonText keeps every digit in both directions', async () => {
    const text = '[9007199254740993, 1e400, {"2":0,"1":0}]'
    server.play(answer(200, '{"result":[9007199254740993,1e400],"kept":2,"removed":1}'))
    const { client } = testClient()
    expect(await client.jsonText(text)).toEqual({ result: '[9007199254740993,1e400]', kept: 2, removed: 1 })
    expect(server.received[0]?.body).toBe(`{"mode":"json","data":${text},"options":{}}`)
  })

  test.each(['[1],"data":[2]', '{"a":1}', '[1', ''])('jsonText refuses text that is not an array: %j', async (text) => {
    server.play(succeed)
    await expect(testClient().client.jsonText(text)).rejects.toThrow(InvalidInputError)
    expect(server.received).toEqual([])
  })
})

describe('errors have their own class, the status and the members of the error body', () => {
  const cases = [
    { kind: InvalidRequestError, is: refuse.badMode() },
    { kind: AuthenticationError, is: refuse.invalidKey() },
    { kind: ForbiddenError, is: refuse.fuzzyNeedsKey('http://localhost') },
    { kind: ApiError, is: refuse.timedOut() },
    { kind: TooLargeError, is: refuse.tooManyUnits(PLANS.free, 300) },
    { kind: AllowanceError, is: MONTH },
    { kind: AllowanceError, is: refuse.daySpent(PLANS.keyless, 12, 'http://localhost') },
    { kind: RateLimitError, is: BURST },
    { kind: ServerError, is: refuse.internal() },
    { kind: BusyError, is: refuse.busy() },
    { kind: FuzzyTimeError, is: refuse.fuzzyTooLong() },
  ]

  test.each(cases)('$is.status "$is.body.error"', async ({ kind, is }) => {
    server.play(refusal(is))
    const failure = await failureOf(testClient().client.lines('a'))
    expect(failure).toBeInstanceOf(kind)
    expect(failure.name).toBe(kind.name)
    expect({ ...failure, message: failure.message }).toEqual({
      ...is.body,
      name: kind.name,
      status: is.status,
      message: is.body.error,
    })
  })

  const page = '<html><body>Bad gateway</body></html>'
  test.each<{
    name: string
    turn: Turn
    kind: abstract new (...args: never[]) => KeepfirstError
    status: number | null
  }>([
    { name: 'a result that is not JSON', turn: answer(200, 'garbage'), kind: UnexpectedAnswerError, status: 200 },
    {
      name: 'a result of another mode',
      turn: answer(200, { ...RESULT, result: 'a' }),
      kind: UnexpectedAnswerError,
      status: 200,
    },
    { name: 'a result without counts', turn: answer(200, { result: ['a'] }), kind: UnexpectedAnswerError, status: 200 },
    { name: 'an empty result', turn: answer(200, ''), kind: UnexpectedAnswerError, status: 200 },
    {
      name: 'an HTML page',
      turn: answer(200, page, { 'Content-Type': 'text/html' }),
      kind: UnexpectedAnswerError,
      status: 200,
    },
    {
      name: 'an error page of a proxy',
      turn: answer(502, page, { 'Content-Type': 'text/html' }),
      kind: ServerError,
      status: 502,
    },
    { name: 'an error that is an array', turn: answer(400, []), kind: InvalidRequestError, status: 400 },
    {
      name: 'an error of the wrong types',
      turn: answer(413, { error: 1, units: 'x' }),
      kind: TooLargeError,
      status: 413,
    },
    { name: 'a redirect', turn: answer(302, '', { Location: '/elsewhere' }), kind: UnexpectedAnswerError, status: 302 },
    {
      name: 'a redirect that keeps the method',
      turn: answer(308, '', { Location: '/' }),
      kind: UnexpectedAnswerError,
      status: 308,
    },
    { name: 'a closed connection', turn: closeConnection, kind: ConnectionError, status: null },
    { name: 'a truncated answer', turn: truncatedAnswer, kind: ConnectionError, status: null },
  ])('$name', async ({ turn, kind, status }) => {
    server.play(turn)
    const failure = await failureOf(testClient().client.lines('a'))
    expect(failure).toBeInstanceOf(kind)
    expect(failure.status).toBe(status)
    expect(failure.message).not.toBe('')
    expect(server.received).toHaveLength(1)
  })
})

describe('7 client guidance: waits of at least Retry-After with growing jitter, five attempts', () => {
  const burst = refusal(BURST, { 'Retry-After': '17' })

  test('each wait is Retry-After plus a jitter that doubles', async () => {
    server.play(burst)
    const { client, waitsMs } = testClient()
    expect(await failureOf(client.lines('a'))).toBeInstanceOf(RateLimitError)
    expect(waitsMs).toEqual([17_375, 17_750, 18_500, 20_000])
    expect(server.received).toHaveLength(5)
  })

  test.each([0, 0.25, 0.999_999])('no wait is shorter than Retry-After if random() returns %d', async (random) => {
    server.play(burst)
    const { client, waitsMs } = testClient({ random: () => random })
    await failureOf(client.lines('a'))
    expect(Math.min(...waitsMs)).toBeGreaterThanOrEqual(17_000)
    expect(waitsMs).toEqual(waitsMs.toSorted((a, b) => a - b))
  })

  test('the same request is sent again, and its result is returned', async () => {
    server.play(burst, refusal(refuse.busy()), succeed)
    const { client, waitsMs } = testClient()
    expect(await client.lines('a')).toEqual(RESULT)
    expect(waitsMs).toEqual([17_375, 750])
    expect(new Set(server.received.map(({ body }) => body)).size).toBe(1)
  })

  test.each<{ name: string; turn: Turn; attempts: number; firstWaitMs?: number }>([
    {
      name: '429 with retryAfter only in the body (as from another origin)',
      turn: refusal(BURST),
      attempts: 5,
      firstWaitMs: 17_375,
    },
    {
      name: '429 with Retry-After only in the header',
      turn: answer(429, { error: 'x' }, { 'Retry-After': '2' }),
      attempts: 5,
      firstWaitMs: 2_375,
    },
    { name: '429 because the month is spent', turn: refusal(MONTH), attempts: 1 },
    { name: '429 without a body', turn: answer(429, ''), attempts: 1 },
    {
      name: '429 with a Retry-After that is not a number',
      turn: answer(429, '', { 'Retry-After': 'soon' }),
      attempts: 1,
    },
    { name: '503 busy', turn: refusal(refuse.busy()), attempts: 5, firstWaitMs: 375 },
    { name: '503 from a proxy', turn: answer(503, '<html>'), attempts: 5, firstWaitMs: 375 },
    { name: '503 because a fuzzy request took too long', turn: refusal(refuse.fuzzyTooLong()), attempts: 1 },
    { name: '500', turn: refusal(refuse.internal()), attempts: 1 },
    { name: '504', turn: answer(504, ''), attempts: 1 },
    { name: '400', turn: refusal(refuse.badMode()), attempts: 1 },
    { name: '401', turn: refusal(refuse.invalidKey()), attempts: 1 },
    { name: '413', turn: refusal(refuse.bodyTooLarge(PLANS.free)), attempts: 1 },
    { name: 'a closed connection: the request may have been billed', turn: closeConnection, attempts: 1 },
    { name: 'a truncated answer: the request has been billed', turn: truncatedAnswer, attempts: 1 },
  ])('$name: $attempts attempt(s)', async ({ turn, attempts, firstWaitMs }) => {
    server.play(turn)
    const { client, waitsMs } = testClient()
    await failureOf(client.lines('a'))
    expect(server.received).toHaveLength(attempts)
    expect(waitsMs[0]).toBe(firstWaitMs)
  })

  test('a connection that was never established is retried, and the error has the cause', async () => {
    const closed = await closedPort()
    const { client, waitsMs } = testClient({ baseUrl: `http://127.0.0.1:${closed}` })
    const failure = await failureOf(client.lines('a'))
    expect(failure).toBeInstanceOf(ConnectionError)
    expect(inspect(failure)).toContain('ECONNREFUSED')
    expect(waitsMs).toEqual([375, 750, 1_500, 3_000])
  })

  // What each platform throws for a port that nobody listens on.
  test.each([
    { platform: 'Bun', thrown: Object.assign(new TypeError('Unable to connect.'), { code: 'ECONNREFUSED' }) },
    {
      platform: 'Deno',
      thrown: new TypeError('fetch failed', {
        cause: new Error(
          'error sending request for url (http://127.0.0.1:1/): client error (Connect): tcp connect error: Connection refused (os error 111)',
        ),
      }),
    },
  ])('a refused connection is retried on $platform', async ({ thrown }) => {
    const { client, waitsMs } = testClient({ fetch: () => Promise.reject(thrown) })
    expect(await failureOf(client.lines('a'))).toMatchObject({ name: 'ConnectionError', cause: thrown })
    expect(waitsMs).toHaveLength(4)
  })
})

describe('time limits and aborts', () => {
  test('a service that never answers', async () => {
    server.play(silence)
    const failure = await failureOf(testClient().client.lines('a', {}, { timeoutMs: 20 }))
    expect(failure).toBeInstanceOf(TimeoutError)
    expect(failure.status).toBe(null)
  })

  test('an answer that never ends', async () => {
    server.play((response) => response.writeHead(200).write('{"result":'))
    expect(await failureOf(testClient({ timeoutMs: 50 }).client.lines('a'))).toBeInstanceOf(TimeoutError)
  })

  test('no wait that would exceed the time limit is started; the refusal is thrown instead', async () => {
    server.play(refusal(BURST))
    const { client, waitsMs } = testClient({ timeoutMs: 40_000 })
    expect(await failureOf(client.lines('a'))).toMatchObject({ name: 'RateLimitError', retryAfter: 17 })
    expect(waitsMs).toEqual([17_375, 17_750])
  })

  test('no time limit', async () => {
    server.play(refusal(BURST), succeed)
    expect(await testClient({ timeoutMs: Number.POSITIVE_INFINITY }).client.lines('a')).toEqual(RESULT)
  })

  test('an abort while the service is working', async () => {
    const controller = new AbortController()
    server.play(() => controller.abort('no longer wanted'))
    const failure = await failureOf(testClient().client.lines('a', {}, { signal: controller.signal }))
    expect(failure).toBeInstanceOf(AbortError)
    expect(failure.cause).toBe('no longer wanted')
  })

  test('an abort before anything is sent', async () => {
    server.play(succeed)
    const failure = await failureOf(testClient().client.validate(['a@b.c'], { signal: AbortSignal.abort() }))
    expect(failure).toBeInstanceOf(AbortError)
    expect(server.received).toEqual([])
  })

  test('an abort during a real wait', async () => {
    const controller = new AbortController()
    server.play(refusal(refuse.burst(PLANS.free, { requests: 60, windowSeconds: 3_600 }, 3_600)))
    // Drawn when the wait begins.
    const random = (): number => {
      queueMicrotask(() => controller.abort())
      return 0.5
    }
    const client = new Keepfirst({ baseUrl: server.baseUrl, timeoutMs: Number.POSITIVE_INFINITY, random })
    const failure = await failureOf(client.lines('a', {}, { signal: controller.signal }))
    expect(failure).toBeInstanceOf(AbortError)
    expect(server.received).toHaveLength(1)
  })
})

describe('the key stays secret', () => {
  test.each<{ name: string; turn: Turn }>([
    { name: 'a refusal', turn: refusal(refuse.invalidKey()) },
    { name: 'a closed connection', turn: closeConnection },
    { name: 'a truncated answer', turn: truncatedAnswer },
    { name: 'an HTML page', turn: answer(200, '<html>') },
  ])('it is not in the error for $name', async ({ turn }) => {
    server.play(turn)
    const failure = await failureOf(testClient().client.lines('a'))
    const seen = inspect(failure, { depth: null, showHidden: true }) + JSON.stringify(failure) + String(failure.stack)
    expect(seen).not.toContain(API_KEY)
  })

  test('it is not in a printed or serialised client', () => {
    const { client } = testClient()
    expect(inspect(client, { depth: null, showHidden: true }) + JSON.stringify(client)).not.toContain(API_KEY)
  })

  test.each([`${API_KEY}\n`, ` ${API_KEY}`, `${API_KEY}ä`, ''])(
    'the error for a key that is not valid in a header does not contain it: %j',
    (apiKey) => {
      expect(() => testClient({ apiKey })).toThrow(
        new InvalidInputError('apiKey is empty, or has white space or other characters that no key has'),
      )
    },
  )

  test.each(['http://user:secret@host', 'ftp://host', 'host:80', '/api', '', 'http://host?key=secret'])(
    'the error for an invalid base address does not contain it: %j',
    (baseUrl) => {
      expect(() => testClient({ baseUrl })).toThrow(
        new InvalidInputError('baseUrl must be an http or https address without user name, query and fragment'),
      )
    },
  )

  test.each([0, -1, Number.NaN])('a time limit of %d is refused', (timeoutMs) => {
    expect(() => testClient({ timeoutMs })).toThrow(InvalidInputError)
  })
})

test('json keeps the type of its items', async () => {
  server.play(answer(200, { result: [{ id: 7, tags: ['x'] }], kept: 1, removed: 0 }))
  const { result } = await testClient().client.json([{ id: 7, tags: ['x'] }])
  const ids: number[] = result.map((item) => item.id)
  expect(ids).toEqual([7])
})

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const address = probe.address()
  await new Promise((done) => probe.close(done))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
