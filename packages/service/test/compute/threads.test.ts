import { setMaxListeners } from 'node:events'
import { fileURLToPath } from 'node:url'
import { BroadcastChannel } from 'node:worker_threads'
import { isRefusal } from '@keepfirst/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { ClientDisconnected } from '../../src/client-connection.ts'
import type { Requester } from '../../src/compute/compute.ts'
import { unpack } from '../../src/compute/packed.ts'
import { isFuzzy, type ParsedRequest } from '../../src/compute/parse-request.ts'
import { Pool, type PoolOptions } from '../../src/compute/pool.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const workerFile = fileURLToPath(new URL('../support/compute-worker.mjs', import.meta.url))
const now = () => performance.now()
const plain: PoolOptions = { fuzzySeconds: 60, now, log }

/** A requester; without a controller of its own it stays. */
function requester(tenant = 'anyone', { signal } = new AbortController(), arrivedAt = now()): Requester {
  setMaxListeners(0, signal)
  const client = {
    get aborted() {
      return signal.aborted
    },
    signal,
  }
  return { tenant, client, arrivedAt }
}

const open: Pool[] = []
afterEach(async () => {
  for (const pool of open.splice(0)) await pool.close()
})

function poolWith(options: Partial<PoolOptions> = {}): Pool {
  const pool = new Pool({ ...plain, ...options })
  open.push(pool)
  return pool
}

/** With one thread of each kind, which does what requests say. */
function obedient(options: Partial<PoolOptions> = {}): Pool {
  return poolWith({ fuzzySeconds: 600, workerFile, threads: 1, heapMb: 64, ...options })
}

const LARGE = 80_000
const LONG = 300_000

/** A body for `support/compute-worker.mjs`, large enough for a thread; `LONG` is long as fuzzy work. */
function body(name: string, does = 'answer', { is = 'exact', bytes = LARGE } = {}): Uint8Array<ArrayBuffer> {
  const request = JSON.stringify({ name, is, does })
  return new TextEncoder().encode(request.padEnd(bytes))
}

async function parsed(pool: Pool, of: Uint8Array<ArrayBuffer>, by = requester()): Promise<ParsedRequest> {
  const outcome = await pool.parse(of, by)
  if (outcome === 'stopping' || isRefusal(outcome)) throw new Error(`not parsed: ${JSON.stringify(outcome)}`)
  return outcome
}

/** Parses and runs. */
async function work(pool: Pool, of: Uint8Array<ArrayBuffer>, by = requester()): Promise<unknown> {
  return textOf(await pool.run(await parsed(pool, of, by), by))
}

function textOf(ran: unknown): unknown {
  return ran !== null && typeof ran === 'object' && 'body' in ran && ran.body instanceof Uint8Array
    ? new TextDecoder().decode(ran.body)
    : ran
}

/** Resolves when the deed of that request has begun in its thread. */
async function begun(name: string): Promise<void> {
  const events = new BroadcastChannel('compute-worker')
  const told = new Promise<void>((resolve) => {
    events.onmessage = (event) => {
      if (event instanceof MessageEvent ? event.data === name : false) resolve()
    }
  })
  await told
  events.close()
}

describe('exact work in threads', () => {
  test('is parsed, and run with what was parsed', async () => {
    expect(await work(obedient(), body('one'))).toBe('one')
  })

  test('the bytes of a body move: they are never twice in memory', async () => {
    const given = body('one')
    const pool = obedient()
    const request = await parsed(pool, given)
    expect([given.byteLength, request.data.bytes.byteLength]).toEqual([0, LARGE])
    await pool.run(request, requester())
    expect(request.data.bytes.byteLength).toBe(0)
  })

  test('a refusal crosses as it is', async () => {
    const refusal = await obedient().parse(body('no', 'answer', { is: 'refused' }), requester())
    expect(refusal).toEqual({ kind: 'refusal', status: 400, body: { error: 'no' } })
  })

  test('nothing waits in a thread: any number of requests can be parsed and wait for their admission', async () => {
    const pool = obedient()
    const names = Array.from({ length: 200 }, (_, index) => `${index}`)
    const requests = await Promise.all(names.map((name) => parsed(pool, body(name))))
    const answers = await Promise.all(requests.map((request) => pool.run(request, requester())))
    expect(answers.map(textOf)).toEqual(names)
  })

  test('one caller does not starve another', async () => {
    const pool = obedient()
    const order: unknown[] = []
    const note = async (name: string, tenant: string): Promise<void> => {
      order.push(await work(pool, body(name), requester(tenant)))
    }
    await Promise.all([...['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((name) => note(name, 'a')), note('b', 'b')])
    expect(order.indexOf('b')).toBeLessThanOrEqual(2)
  })

  test('a client that hangs up while it waits takes its place in the line along', async () => {
    const pool = obedient()
    const line = new AbortController()
    const waiting = Array.from({ length: 8 }, (_, index) => work(pool, body(`${index}`), requester('a', line)))
    line.abort()
    for (const gone of waiting) await expect(gone).rejects.toThrow(ClientDisconnected)
    expect(await work(pool, body('after'))).toBe('after')
  })

  test('work that throws fails only its own request', async () => {
    const pool = obedient()
    const neighbour = work(pool, body('neighbour'))
    await expect(work(pool, body('bad', 'fail'))).rejects.toThrow('as asked')
    expect(await neighbour).toBe('neighbour')
  })

  test('a thread that runs out of memory fails only its own request, and is replaced', async () => {
    const pool = obedient()
    const neighbour = await parsed(pool, body('neighbour'))
    await expect(work(pool, body('greedy', 'exhaust'))).rejects.toThrow()
    expect(textOf(await pool.run(neighbour, requester()))).toBe('neighbour')
  })

  test('at the end of a graceful stop waiting and new requests are told', async () => {
    const pool = obedient()
    const requests = await Promise.all(['1', '2', '3'].map((name) => parsed(pool, body(name))))
    const runs = requests.map((request) => pool.run(request, requester()))
    pool.endWork()
    expect((await Promise.all(runs)).map(textOf)).toEqual(['1', 'stopping', 'stopping'])
    expect(await pool.parse(body('late'), requester())).toBe('stopping')
  })
})

describe('fuzzy work in its own threads', () => {
  const small = (name: string, does?: string): Uint8Array<ArrayBuffer> => body(name, does, { is: 'fuzzy' })
  const long = (name: string, does?: string): Uint8Array<ArrayBuffer> => body(name, does, { is: 'fuzzy', bytes: LONG })

  test.each([
    { name: 'small', of: small('one') },
    { name: 'long', of: long('one') },
  ])('$name work runs', async ({ of }) => {
    expect(await work(obedient(), of)).toBe('one')
  })

  test('small work never waits behind long work', async () => {
    const pool = obedient()
    const line = new AbortController()
    const running = begun('hog')
    const hog = work(pool, long('hog', 'obey'), requester('a', line))
    await running
    expect(await work(pool, small('b'), requester('b'))).toBe('b')
    expect(await work(pool, small('a'), requester('a'))).toBe('a')
    line.abort()
    await expect(hog).rejects.toThrow(ClientDisconnected)
  })

  test('long work of one caller does not hold up long work of another', async () => {
    const pool = obedient()
    const line = new AbortController()
    const running = begun('hog')
    const hogs = ['hog', 'hog2', 'hog3'].map((name) => work(pool, long(name, 'obey'), requester('a', line)))
    await running
    expect(await work(pool, long('b'), requester('b'))).toBe('b')
    line.abort()
    for (const hog of hogs) await expect(hog).rejects.toThrow(ClientDisconnected)
  })

  test('ends at the bound, and its thread serves the next', async () => {
    const pool = obedient({ fuzzySeconds: 0.3 })
    expect(await work(pool, small('long', 'obey'))).toBe('too long')
    expect(await work(pool, small('next', 'obey'))).toBe('too long')
  })

  test('the bound counts from the arrival of the request, not from its turn', async () => {
    const pool = obedient({ fuzzySeconds: 60 })
    const early = requester('a', new AbortController(), now() - 59_900)
    expect(await work(pool, small('long', 'obey'), early)).toBe('too long')
    const late = requester('a', new AbortController(), now() - 60_001)
    expect(await work(pool, small('late', 'obey'), late)).toBe('too long')
  })

  test('work that does not listen is answered at the bound, and loses its thread', async () => {
    const pool = obedient({ fuzzySeconds: 0.3, deafMs: 10 })
    expect(await work(pool, small('deaf', 'ignore'))).toBe('too long')
    expect(await work(pool, small('next'), requester('b', new AbortController(), now() + 600_000))).toBe('next')
  })

  test.each(['obey', 'ignore'])('a client that hangs up frees its thread: the work would %s', async (does) => {
    const pool = obedient({ deafMs: 10 })
    const line = new AbortController()
    const running = begun('long')
    const run = work(pool, small('long', does), requester('a', line))
    await running
    line.abort()
    await expect(run).rejects.toThrow(ClientDisconnected)
    expect(await work(pool, small('next'))).toBe('next')
  })

  test('a client that is gone before is not begun for', async () => {
    const pool = obedient()
    const request = await parsed(pool, small('one'))
    const line = new AbortController()
    line.abort()
    await expect(pool.run(request, requester('a', line))).rejects.toThrow(ClientDisconnected)
  })

  test('any number of one caller wait, and others do not behind them', async () => {
    const pool = obedient()
    const names = Array.from({ length: 100 }, (_, index) => `a${index}`)
    const order: unknown[] = []
    const note = async (name: string, tenant: string): Promise<void> => {
      order.push(await work(pool, small(name), requester(tenant)))
    }
    await Promise.all([...names.map((name) => note(name, 'a')), note('b', 'b')])
    expect(order.filter((name) => name !== 'b')).toEqual(names)
    expect(order.indexOf('b')).toBeLessThan(100)
  })

  test('a thread that runs out of memory fails its request, and is replaced', async () => {
    const pool = obedient()
    const greedy = work(pool, small('greedy', 'exhaust'))
    const next = work(pool, small('next'), requester('b'))
    await expect(greedy).rejects.toThrow()
    expect(await next).toBe('next')
  })

  test('at the end of a graceful stop, what runs and what waits ends', async () => {
    const pool = obedient()
    const running = begun('long')
    const run = work(pool, long('long', 'obey'))
    await running
    const waiting = pool.run(await parsed(pool, long('waits')), requester())
    pool.endWork()
    expect([await run, await waiting]).toEqual(['stopping', 'stopping'])
  })
})

describe('where a request is parsed and run', () => {
  const dedupe = async (pool: Pool, of: unknown): Promise<unknown> => {
    const request = await pool.parse(new TextEncoder().encode(JSON.stringify(of)), requester())
    if (request === 'stopping' || isRefusal(request)) return request
    const { rows } = request
    const fuzzy = isFuzzy(request)
    return { fuzzy, rows, answer: JSON.parse(String(textOf(await pool.run(request, requester())))) }
  }
  const many = Array.from({ length: 10_000 }, (_, index) => `line ${index % 5_000}`)

  test.each([
    { name: 'small, in line', body: { mode: 'lines', data: 'a\nb\na' }, rows: 3, kept: 2, fuzzy: false },
    {
      name: 'large, in a thread',
      body: { mode: 'lines', data: many.join('\n') },
      rows: 10_000,
      kept: 5_000,
      fuzzy: false,
    },
    {
      name: 'small and fuzzy, in a thread',
      body: { mode: 'rows', data: 'name\nJohn Smith\n"Smith, John"', options: { fuzzy: true } },
      rows: 2,
      kept: 1,
      fuzzy: true,
    },
    {
      name: 'large and fuzzy, in a thread',
      body: { mode: 'rows', data: `name\n${'John Smith\n'.repeat(2_000)}`, options: { fuzzy: true } },
      rows: 2_000,
      kept: 1,
      fuzzy: true,
    },
  ])('$name: the same answer', async ({ body, rows, kept, fuzzy }) => {
    const pool = poolWith()
    expect(await dedupe(pool, body)).toMatchObject({ fuzzy, rows, answer: { kept, removed: rows - kept } })
  })

  test.each([
    { name: 'small', body: { mode: 'none' } },
    { name: 'large', body: { mode: 'none', data: many } },
  ])('$name: the same refusal', async ({ body }) => {
    const pool = poolWith()
    expect(await dedupe(pool, body)).toMatchObject({ kind: 'refusal', status: 400 })
  })

  test.each([
    { name: 'few, in line', count: 2 },
    { name: 'many, in a thread', count: 5_000 },
  ])('addresses, $name: the same list', async ({ count }) => {
    const pool = poolWith()
    const emails = Array.from({ length: count }, (_, index) => `a${index}@example.org`)
    const body = new TextEncoder().encode(JSON.stringify({ emails }))
    const read = await pool.parseEmails(body, requester())
    expect(read !== 'stopping' && read.kind === 'emails' && unpack(read.emails).slice()).toEqual(emails)
  })
})

test('small work in line is not begun for a client that went away while it waited for its admission', async () => {
  const pool = poolWith()
  const gone = new AbortController()
  const by = requester('anyone', gone)
  const request = await parsed(pool, new TextEncoder().encode('{"mode":"lines","data":"a"}'), by)
  gone.abort()
  await expect(pool.run(request, by)).rejects.toThrow(ClientDisconnected)
})
