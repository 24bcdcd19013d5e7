import { setMaxListeners } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import workerThreads, { BroadcastChannel } from 'node:worker_threads'
import { isRefusal } from '@keepfirst/protocol'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { ClientDisconnected } from '../../src/client-connection.ts'
import type { Requester } from '../../src/compute/compute.ts'
import { createShouldStop } from '../../src/compute/control.ts'
import { FuzzyRun } from '../../src/compute/fuzzy-run.ts'
import { unpack } from '../../src/compute/packed.ts'
import { isFuzzy, type ParsedRequest } from '../../src/compute/parse-request.ts'
import { Pool, type PoolOptions } from '../../src/compute/pool.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const workerFile = fileURLToPath(new URL('../support/compute-worker.mjs', import.meta.url))
const now = () => performance.now()
const plain: PoolOptions = { fuzzySeconds: 60, now, log }

/** A requester; it stays connected unless a controller is given. */
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

/** A pool with one thread of each kind, in which `support/compute-worker.mjs` does what requests say. */
function scriptedPool(options: Partial<PoolOptions> = {}): Pool {
  return poolWith({ fuzzySeconds: 600, workerFile, threads: 1, heapMb: 64, ...options })
}

const LARGE = 80_000
const LONG = 300_000

/** A body for `support/compute-worker.mjs` that is large enough for a thread; with `LONG` bytes, fuzzy work is long. */
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

/** Resolves when work on the named request has begun in its thread. */
async function hasBegun(name: string): Promise<void> {
  const events = new BroadcastChannel('compute-worker')
  const begun = new Promise<void>((resolve) => {
    events.onmessage = (event) => {
      if (event instanceof MessageEvent ? event.data === name : false) resolve()
    }
  })
  await begun
  events.close()
}

describe('exact work in threads', () => {
  test('is parsed and run', async () => {
    expect(await work(scriptedPool(), body('one'))).toBe('one')
  })

  test('the bytes of a body are transferred, not copied', async () => {
    const given = body('one')
    const pool = scriptedPool()
    const request = await parsed(pool, given)
    expect([given.byteLength, request.data.bytes.byteLength]).toEqual([0, LARGE])
    await pool.run(request, requester())
    expect(request.data.bytes.byteLength).toBe(0)
  })

  test('a refusal is passed on unchanged', async () => {
    const refusal = await scriptedPool().parse(body('no', 'answer', { is: 'refused' }), requester())
    expect(refusal).toEqual({ kind: 'refusal', status: 400, body: { error: 'no' } })
  })

  test('requests do not occupy a thread between parsing and running: any number can wait for admission', async () => {
    const pool = scriptedPool()
    const names = Array.from({ length: 200 }, (_, index) => `${index}`)
    const requests = await Promise.all(names.map((name) => parsed(pool, body(name))))
    const answers = await Promise.all(requests.map((request) => pool.run(request, requester())))
    expect(answers.map(textOf)).toEqual(names)
  })

  test('one caller does not starve another', async () => {
    const pool = scriptedPool()
    const order: unknown[] = []
    const note = async (name: string, tenant: string): Promise<void> => {
      order.push(await work(pool, body(name), requester(tenant)))
    }
    await Promise.all([...['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((name) => note(name, 'a')), note('b', 'b')])
    expect(order.indexOf('b')).toBeLessThanOrEqual(2)
  })

  test('clients that disconnect while they wait give up their places in the queue', async () => {
    const pool = scriptedPool()
    const client = new AbortController()
    const waiting = Array.from({ length: 8 }, (_, index) => work(pool, body(`${index}`), requester('a', client)))
    client.abort()
    for (const gone of waiting) await expect(gone).rejects.toThrow(ClientDisconnected)
    expect(await work(pool, body('after'))).toBe('after')
  })

  test('work that throws fails only its own request', async () => {
    const pool = scriptedPool()
    const neighbour = work(pool, body('neighbour'))
    await expect(work(pool, body('bad', 'fail'))).rejects.toThrow('as asked')
    expect(await neighbour).toBe('neighbour')
  })

  test('a thread that runs out of memory fails only its own request, and is replaced', async () => {
    const pool = scriptedPool()
    const neighbour = await parsed(pool, body('neighbour'))
    await expect(work(pool, body('greedy', 'exhaust'))).rejects.toThrow()
    expect(textOf(await pool.run(neighbour, requester()))).toBe('neighbour')
  })

  test('at the end of a graceful stop, waiting and new requests are refused', async () => {
    const pool = scriptedPool()
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
    expect(await work(scriptedPool(), of)).toBe('one')
  })

  test('small work does not wait for long work', async () => {
    const pool = scriptedPool()
    const client = new AbortController()
    const running = hasBegun('hog')
    const hog = work(pool, long('hog', 'obey'), requester('a', client))
    await running
    expect(await work(pool, small('b'), requester('b'))).toBe('b')
    expect(await work(pool, small('a'), requester('a'))).toBe('a')
    client.abort()
    await expect(hog).rejects.toThrow(ClientDisconnected)
  })

  test('long work of one caller does not delay long work of another', async () => {
    const pool = scriptedPool()
    const client = new AbortController()
    const running = hasBegun('hog')
    const hogs = ['hog', 'hog2', 'hog3'].map((name) => work(pool, long(name, 'obey'), requester('a', client)))
    await running
    expect(await work(pool, long('b'), requester('b'))).toBe('b')
    client.abort()
    for (const hog of hogs) await expect(hog).rejects.toThrow(ClientDisconnected)
  })

  test('ends at the time limit, and its thread serves the next request', async () => {
    const pool = scriptedPool({ fuzzySeconds: 0.3 })
    expect(await work(pool, small('long', 'obey'))).toBe('too long')
    expect(await work(pool, small('next', 'obey'))).toBe('too long')
  })

  test('the time limit counts from the arrival of the request, not from its turn', async () => {
    const pool = scriptedPool({ fuzzySeconds: 60 })
    const early = requester('a', new AbortController(), now() - 59_900)
    expect(await work(pool, small('long', 'obey'), early)).toBe('too long')
    const late = requester('a', new AbortController(), now() - 60_001)
    expect(await work(pool, small('late', 'obey'), late)).toBe('too long')
  })

  test('work that ignores the signal is answered at the time limit, and its thread is terminated', async () => {
    const pool = scriptedPool({ fuzzySeconds: 0.3, stopTimeoutMs: 10 })
    expect(await work(pool, small('deaf', 'ignore'))).toBe('too long')
    expect(await work(pool, small('next'), requester('b', new AbortController(), now() + 600_000))).toBe('next')
  })

  test.each(['obey', 'ignore'])(
    'a client that disconnects frees its thread, if the work would %s the signal',
    async (does) => {
      const pool = scriptedPool({ stopTimeoutMs: 10 })
      const client = new AbortController()
      const running = hasBegun('long')
      const run = work(pool, small('long', does), requester('a', client))
      await running
      client.abort()
      await expect(run).rejects.toThrow(ClientDisconnected)
      expect(await work(pool, small('next'))).toBe('next')
    },
  )

  test('work is not started for a client that has disconnected', async () => {
    const pool = scriptedPool()
    const request = await parsed(pool, small('one'))
    const client = new AbortController()
    client.abort()
    await expect(pool.run(request, requester('a', client))).rejects.toThrow(ClientDisconnected)
  })

  test('any number of requests of one caller may wait, and other callers do not wait for all of them', async () => {
    const pool = scriptedPool()
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
    const pool = scriptedPool()
    const greedy = work(pool, small('greedy', 'exhaust'))
    const next = work(pool, small('next'), requester('b'))
    await expect(greedy).rejects.toThrow()
    expect(await next).toBe('next')
  })

  test('at the end of a graceful stop, running and waiting work ends', async () => {
    const pool = scriptedPool()
    const running = hasBegun('long')
    const run = work(pool, long('long', 'obey'))
    await running
    const waiting = pool.run(await parsed(pool, long('waits')), requester())
    pool.endWork()
    expect([await run, await waiting]).toEqual(['stopping', 'stopping'])
  })
})

describe('a thread that cannot start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepfirst-threads-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'worker.mjs')
  const repair = (): void => writeFileSync(file, `export * from ${JSON.stringify(pathToFileURL(workerFile).href)}`)

  /** Each begins a fault and returns what ends it. */
  const faults = {
    'its file is missing'() {
      rmSync(file, { force: true })
      return repair
    },
    'its file throws'() {
      writeFileSync(file, 'throw new Error("broken")')
      return repair
    },
    'the system refuses it'() {
      repair()
      const refusal = vi.spyOn(workerThreads, 'Worker').mockImplementation(function refuse() {
        throw new Error('EAGAIN')
      })
      return () => refusal.mockRestore()
    },
  }
  const cases = Object.entries(faults).flatMap(([fault, begin]) =>
    ['exact', 'fuzzy'].map((is) => ({ fault, begin, is })),
  )

  test.each(cases)('fails $is requests for as long as $fault, and no longer', async ({ begin, is }) => {
    const healthy = scriptedPool()
    const pool = scriptedPool({ workerFile: file })
    const run = async (name: string): Promise<unknown> => {
      const request = await parsed(healthy, body(name, 'answer', { is }))
      return textOf(await pool.run(request, requester()))
    }
    await parsed(healthy, body('its thread starts before the fault'))
    const end = begin()
    const concurrent = await Promise.allSettled([run('one'), run('two'), run('three')])
    expect(concurrent.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    await expect(run('later')).rejects.toThrow()
    end()
    expect(await run('after')).toBe('after')
  })

  test('fails a fuzzy request for good: if a thread takes it later, it stops at once', async () => {
    let shouldStop = (): boolean => false
    const threads = {
      async run({ control }: { readonly control: SharedArrayBuffer }): Promise<never> {
        shouldStop = createShouldStop(control)
        throw new Error('EAGAIN')
      },
    }
    const request = await parsed(scriptedPool(), body('one', 'answer', { is: 'fuzzy' }))
    const run = new FuzzyRun(request, { tenant: 'anyone', threads, earliestAt: 0, onBegin() {} })
    run.startOrResume()
    await expect(run.outcome).rejects.toThrow('EAGAIN')
    expect(shouldStop()).toBe(true)
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
    { name: 'small, inline', body: { mode: 'lines', data: 'a\nb\na' }, rows: 3, kept: 2, fuzzy: false },
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
    { name: 'few, inline', count: 2 },
    { name: 'many, in a thread', count: 5_000 },
  ])('addresses, $name: the same list', async ({ count }) => {
    const pool = poolWith()
    const emails = Array.from({ length: count }, (_, index) => `a${index}@example.org`)
    const body = new TextEncoder().encode(JSON.stringify({ emails }))
    const read = await pool.parseEmails(body, requester())
    expect(read !== 'stopping' && read.kind === 'emails' && unpack(read.emails).slice()).toEqual(emails)
  })
})

test('small inline work is not started for a client that disconnected while it waited for admission', async () => {
  const pool = poolWith()
  const gone = new AbortController()
  const by = requester('anyone', gone)
  const request = await parsed(pool, new TextEncoder().encode('{"mode":"lines","data":"a"}'), by)
  gone.abort()
  await expect(pool.run(request, by)).rejects.toThrow(ClientDisconnected)
})
