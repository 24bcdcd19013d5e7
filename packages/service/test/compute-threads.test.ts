import { setMaxListeners } from 'node:events'
import { fileURLToPath } from 'node:url'
import { BroadcastChannel } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import { ExactThreads } from '../src/compute/exact.ts'
import { FuzzyThreads } from '../src/compute/fuzzy.ts'
import { Pool } from '../src/compute/pool.ts'
import { type Client, HungUp, type Job } from '../src/requests/call.ts'
import { unpack } from '../src/requests/steps/packed.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const workerFile = fileURLToPath(new URL('support/compute-worker.mjs', import.meta.url))
const options = { workerFile, threads: 1, log, heapMb: 64 }
/** A client; without a signal of its own it stays. */
function client(caller = 'anyone', hungUp = new AbortController().signal): Client {
  setMaxListeners(0, hungUp)
  return { caller, hungUp }
}

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const threads of open.splice(0)) await threads.close()
})

function exactThreads(): ExactThreads {
  const threads = new ExactThreads(options)
  open.push(threads)
  return threads
}

function fuzzyThreads(bounds: { fuzzySeconds?: number; deafMs?: number } = {}): FuzzyThreads {
  const threads = new FuzzyThreads({ fuzzySeconds: 600, ...options, ...bounds })
  open.push(threads)
  return threads
}

/** A request for `support/compute-worker.mjs`. */
function request(name: string, does = 'answer', is = 'exact'): ArrayBuffer {
  return new TextEncoder().encode(JSON.stringify({ name, is, does })).buffer
}

async function opened(threads: ExactThreads, name: string, does?: string, by = client()): Promise<Job> {
  const job = await threads.open(request(name, does), by)
  if (job === 'busy' || job.kind !== 'job') throw new Error(`not opened: ${JSON.stringify(job)}`)
  return job
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
  test('parses, waits for the word, runs', async () => {
    const job = await opened(exactThreads(), 'one')
    expect(job).toMatchObject({ mode: 'rows', rows: 1, fuzzy: false })
    expect(textOf(await job.run())).toBe('one')
  })

  test('a refusal crosses as it is', async () => {
    const refusal = await exactThreads().open(request('no', 'answer', 'refused'), client())
    expect(refusal).toEqual({ kind: 'refusal', status: 400, body: { error: 'no' } })
  })

  test('fuzzy work is not run here: its body comes back whole', async () => {
    const fuzzy = await exactThreads().open(request('f', 'answer', 'fuzzy'), client())
    expect(fuzzy).toEqual({ kind: 'fuzzy', mode: 'rows', rows: 1, body: request('f', 'answer', 'fuzzy') })
  })

  test('while one request waits for its admission, its thread parses and runs others', async () => {
    const threads = exactThreads()
    const stalled = await opened(threads, 'stalled')
    const next = await opened(threads, 'next')
    expect(textOf(await next.run())).toBe('next')
    expect(textOf(await stalled.run())).toBe('stalled')
  })

  test('beyond the bound of requests that are parsed or wait, busy; a discarded one makes room', async () => {
    const threads = exactThreads()
    const parsed = await Promise.all(Array.from({ length: 8 }, (_, index) => opened(threads, `${index}`)))
    const waiting = Array.from({ length: 64 }, (_, index) => threads.open(request(`w${index}`), client(`${index % 4}`)))
    expect(await threads.open(request('beyond'), client())).toBe('busy')
    for (const job of parsed) job.discard()
    for (const job of waiting) {
      const turn = await job
      if (turn !== 'busy' && turn.kind === 'job') turn.discard()
    }
    expect(textOf(await (await opened(threads, 'after')).run())).toBe('after')
  })

  test('one caller does not starve another', async () => {
    const threads = exactThreads()
    const line = new AbortController()
    const jobs = await Promise.all(['a1', 'a2', 'a3', 'a4'].map((name) => opened(threads, name, 'answer', client('a'))))
    const long = await opened(threads, 'long', 'obey', client('a', line.signal))
    const running = begun('long')
    const first = long.run()
    await running
    const order: unknown[] = []
    const rest = jobs.map(async (job) => order.push(textOf(await job.run())))
    const other = opened(threads, 'b', 'answer', client('b')).then(async (job) => order.push(textOf(await job.run())))
    line.abort()
    await expect(first).rejects.toThrow(HungUp)
    await Promise.all([...rest, other])
    // b is parsed before a's next turn, and run before the one after.
    expect(order).toEqual(['a1', 'b', 'a2', 'a3', 'a4'])
  })

  test('one caller can fill neither the queue nor the room of others', async () => {
    const threads = exactThreads()
    const parsed = await Promise.all(
      Array.from({ length: 8 }, (_, index) => opened(threads, `${index}`, 'answer', client('a'))),
    )
    const waiting = Array.from({ length: 16 }, (_, index) => opened(threads, `w${index}`, 'answer', client('a')))
    expect(await threads.open(request('beyond'), client('a'))).toBe('busy')
    const other = opened(threads, 'b', 'answer', client('b'))
    parsed[0]?.discard()
    expect(textOf(await (await other).run())).toBe('b')
    for (const job of parsed.slice(1)) job.discard()
    for (const job of waiting) (await job).discard()
  })

  test.each(['before it runs', 'while it runs'])('a client that hangs up %s frees its place', async (when) => {
    const threads = exactThreads()
    const line = new AbortController()
    const jobs = await Promise.all(
      Array.from({ length: 8 }, (_, index) => opened(threads, `${index}`, 'obey', client('anyone', line.signal))),
    )
    const running = begun('0')
    const runs = jobs.map(async (job) => {
      if (when === 'while it runs') await expect(job.run()).rejects.toThrow(HungUp)
    })
    if (when === 'while it runs') await running
    line.abort()
    await Promise.all(runs)
    expect(textOf(await (await opened(threads, 'after')).run())).toBe('after')
  })

  test('a client that hangs up while its body is parsed', async () => {
    const line = new AbortController()
    const job = exactThreads().open(request('one'), client('anyone', line.signal))
    line.abort()
    await expect(job).rejects.toThrow(HungUp)
  })

  test('work that throws is a fault of that request alone', async () => {
    const threads = exactThreads()
    const neighbour = await opened(threads, 'neighbour')
    await expect((await opened(threads, 'bad', 'fail')).run()).rejects.toThrow('as asked')
    expect(textOf(await neighbour.run())).toBe('neighbour')
  })

  test('a thread that runs out of memory takes none down unanswered, and is replaced', async () => {
    const threads = exactThreads()
    const neighbour = await opened(threads, 'neighbour')
    await expect((await opened(threads, 'greedy', 'exhaust')).run()).rejects.toThrow()
    await expect(neighbour.run()).rejects.toThrow()
    expect(textOf(await (await opened(threads, 'after')).run())).toBe('after')
  })

  test('at the end of a graceful stop, what runs and what waits ends', async () => {
    const threads = exactThreads()
    const job = await opened(threads, 'long', 'obey')
    const running = begun('long')
    const run = job.run()
    await running
    threads.endWork()
    expect(await run).toBe('busy')
    expect(await threads.open(request('late'), client())).toBe('busy')
  })
})

describe('fuzzy work in threads of its own', () => {
  const fuzzy = (name: string, does?: string): ArrayBuffer => request(name, does, 'fuzzy')

  test('runs', async () => {
    expect(textOf(await fuzzyThreads().run(fuzzy('one'), client('a')))).toBe('one')
  })

  test('ends at the bound, and its thread serves the next', async () => {
    const threads = fuzzyThreads({ fuzzySeconds: 0.2 })
    expect(await threads.run(fuzzy('long', 'obey'), client('a'))).toBe('too long')
    expect(await threads.run(fuzzy('next', 'obey'), client('a'))).toBe('too long')
  })

  test('work that does not listen ends at the bound all the same', async () => {
    const threads = fuzzyThreads({ fuzzySeconds: 0.2, deafMs: 10 })
    expect(await threads.run(fuzzy('deaf', 'ignore'), client('a'))).toBe('too long')
  })

  test.each(['obey', 'ignore'])('a client that hangs up frees its thread: the work would %s', async (does) => {
    const threads = fuzzyThreads({ deafMs: 10 })
    const line = new AbortController()
    const long = begun('long')
    const run = threads.run(fuzzy('long', does), client('a', line.signal))
    await long
    line.abort()
    await expect(run).rejects.toThrow(HungUp)
    expect(textOf(await threads.run(fuzzy('next'), client('a')))).toBe('next')
  })

  test('one caller does not starve another', async () => {
    const threads = fuzzyThreads()
    const line = new AbortController()
    const order: unknown[] = []
    const note = async (name: string, caller: string): Promise<void> => {
      order.push(textOf(await threads.run(fuzzy(name), client(caller))))
    }
    const long = begun('long')
    const first = threads.run(fuzzy('long', 'obey'), client('a', line.signal))
    await long
    const rest = [note('a2', 'a'), note('a3', 'a'), note('b1', 'b'), note('b2', 'b')]
    line.abort()
    await expect(first).rejects.toThrow(HungUp)
    await Promise.all(rest)
    expect(order).toEqual(['b1', 'a2', 'b2', 'a3'])
  })

  test('one caller can fill neither the queue nor the room of others', async () => {
    const threads = fuzzyThreads()
    const line = new AbortController()
    const long = begun('long')
    const flood = [threads.run(fuzzy('long', 'obey'), client('a', line.signal))]
    await long
    for (let index = 0; index < 8; index += 1) flood.push(threads.run(fuzzy(`a${index}`), client('a', line.signal)))
    expect(await threads.run(fuzzy('beyond'), client('a'))).toBe('busy')
    const other = threads.run(fuzzy('b'), client('b'))
    line.abort()
    for (const run of flood) await expect(run).rejects.toThrow(HungUp)
    expect(textOf(await other)).toBe('b')
  })

  test('a thread that runs out of memory fails its request, and is replaced', async () => {
    const threads = fuzzyThreads()
    const waiting = threads.run(fuzzy('greedy', 'exhaust'), client('a'))
    const next = threads.run(fuzzy('next'), client('b'))
    await expect(waiting).rejects.toThrow()
    expect(textOf(await next)).toBe('next')
  })

  test('at the end of a graceful stop, what runs and what waits ends', async () => {
    const threads = fuzzyThreads()
    const long = begun('long')
    const running = threads.run(fuzzy('long', 'obey'), client('a'))
    await long
    const waiting = threads.run(fuzzy('waits'), client('a'))
    threads.endWork()
    expect(await running).toBe('too long')
    expect(await waiting).toBe('busy')
  })
})

describe('where a request is parsed and run', () => {
  const dedupe = async (pool: Pool, body: unknown): Promise<unknown> => {
    const job = await pool.open(new TextEncoder().encode(JSON.stringify(body)).buffer, client())
    if (job === 'busy' || job.kind === 'refusal') return job
    const ran = await job.run()
    return { fuzzy: job.fuzzy, rows: job.rows, answer: JSON.parse(String(textOf(ran))) }
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
    const pool = new Pool({ fuzzySeconds: 60, log })
    open.push(pool)
    expect(await dedupe(pool, body)).toMatchObject({ fuzzy, rows, answer: { kept, removed: rows - kept } })
  })

  test.each([
    { name: 'small', body: { mode: 'none' } },
    { name: 'large', body: { mode: 'none', data: many } },
  ])('$name: the same refusal', async ({ body }) => {
    const pool = new Pool({ fuzzySeconds: 60, log })
    open.push(pool)
    expect(await dedupe(pool, body)).toMatchObject({ kind: 'refusal', status: 400 })
  })

  test.each([
    { name: 'few, in line', count: 2 },
    { name: 'many, in a thread', count: 5_000 },
  ])('addresses, $name: the same list', async ({ count }) => {
    const pool = new Pool({ fuzzySeconds: 60, log })
    open.push(pool)
    const emails = Array.from({ length: count }, (_, index) => `a${index}@example.org`)
    const body = new TextEncoder().encode(JSON.stringify({ emails })).buffer
    const read = await pool.readEmails(body, client())
    expect(read !== 'busy' && read.kind === 'emails' && unpack(read.emails).slice()).toEqual(emails)
  })
})

test('small work in line is not begun for a client that went away while it waited for its admission', async () => {
  const pool = new Pool({ fuzzySeconds: 1, ...options })
  open.push(pool)
  const gone = new AbortController()
  const body = new TextEncoder().encode('{"mode":"lines","data":"a"}').buffer
  const job = await pool.open(body, client('anyone', gone.signal))
  if (job === 'busy' || job.kind !== 'job') throw new Error('not opened')
  gone.abort()
  await expect(job.run()).rejects.toThrow(HungUp)
})
