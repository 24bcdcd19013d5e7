import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type SharedRun, TimeShare } from '../../src/compute/time-share.ts'
import { TimeoutPenalty } from '../../src/compute/timeout-penalty.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const now = () => Date.now()

/** A run that needs a thread for `needsMs` milliseconds. */
class Run implements SharedRun {
  readonly tenant: string
  readonly ended: Promise<void>
  state: SharedRun['state'] = 'waiting'
  ranMs = 0
  endedAt: number | undefined
  readonly earliestAt: number
  #leftMs: number
  #resumedAt = 0
  #timer: NodeJS.Timeout | undefined
  #end: () => void = () => {}

  constructor(tenant: string, needsMs: number, earliestAt = 0) {
    this.tenant = tenant
    this.#leftMs = needsMs
    this.earliestAt = earliestAt
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  startOrResume(): void {
    this.state = 'running'
    this.#resumedAt = now()
    this.#timer = setTimeout(() => {
      this.state = 'ended'
      this.endedAt = now()
      this.#end()
    }, this.#leftMs)
  }

  pause(): void {
    this.state = 'paused'
    this.#leftMs -= now() - this.#resumedAt
    clearTimeout(this.#timer)
  }
}

const share = (maxRunning = 1, maxStarted = 4): TimeShare => new TimeShare({ maxRunning, maxStarted, now })

/** Adds runs at the same time; returns after how many milliseconds each has ended. */
async function endsOf(timeShare: TimeShare, ...runs: Run[]): Promise<number[]> {
  const from = now()
  for (const run of runs) timeShare.add(run)
  await vi.advanceTimersByTimeAsync(600_000)
  return runs.map(({ endedAt }) => (endedAt ?? Number.NaN) - from)
}

describe('long runs share the threads by tenant', () => {
  test('a single run continues without a pause', async () => {
    expect(await endsOf(share(), new Run('a', 1_000))).toEqual([1_000])
  })

  test('runs of one tenant come one after another', async () => {
    expect(await endsOf(share(), new Run('a', 1_000), new Run('a', 1_000))).toEqual([1_000, 2_000])
  })

  test('a short run next to a long one has every other slice', async () => {
    const [, quick = Number.NaN] = await endsOf(share(), new Run('hog', 60_000), new Run('b', 1_000))
    expect(quick).toBeLessThanOrEqual(2_000)
  })

  test('a short run next to many long ones of another tenant has every other slice', async () => {
    const hogs = Array.from({ length: 20 }, () => new Run('hog', 60_000))
    const [quick = Number.NaN] = (await endsOf(share(), ...hogs, new Run('b', 1_000))).slice(-1)
    expect(quick).toBeLessThanOrEqual(2_000)
  })

  test('a new run gets the next slice, and after that only its share', async () => {
    const timeShare = share()
    timeShare.add(new Run('hog', 60_000))
    await vi.advanceTimersByTimeAsync(10_000)
    const other = new Run('b', 5_000)
    timeShare.add(other)
    expect(other.state).toBe('running')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(other.endedAt).toBeGreaterThanOrEqual(now() - 1_000)
  })

  test('as many run at the same time as allowed, and no more are started than there are threads', async () => {
    const timeShare = share(2, 4)
    const runs = Array.from({ length: 12 }, (_, index) => new Run(`t${index}`, 10_000))
    for (const run of runs) timeShare.add(run)
    for (let slice = 0; slice < 100; slice += 1) {
      expect(runs.filter(({ state }) => state === 'running').length).toBe(2)
      expect(runs.filter(({ state }) => state === 'running' || state === 'paused').length).toBeLessThanOrEqual(4)
      await vi.advanceTimersByTimeAsync(250)
    }
    await vi.advanceTimersByTimeAsync(600_000)
    expect(runs.every(({ state }) => state === 'ended')).toBe(true)
  })

  test('a tenant on its own can use two cores', async () => {
    expect(await endsOf(share(2), new Run('a', 1_000), new Run('a', 1_000))).toEqual([1_000, 1_000])
  })

  test('a run with an earliest start waits until then, and others go first', async () => {
    const [slow = Number.NaN, quick] = await endsOf(share(), new Run('slow', 1_000, now() + 5_000), new Run('b', 1_000))
    expect(quick).toBe(1_000)
    expect(slow).toBeGreaterThanOrEqual(6_000)
    expect(slow).toBeLessThanOrEqual(6_250)
  })
})

describe('tenants whose runs time out repeatedly are slowed down', () => {
  test.each([
    { timeouts: 1, waitMs: 0 },
    { timeouts: 2, waitMs: 4_000 },
    { timeouts: 3, waitMs: 8_000 },
    { timeouts: 4, waitMs: 16_000 },
    { timeouts: 5, waitMs: 30_000 },
    { timeouts: 500, waitMs: 30_000 },
  ])('after $timeouts timeouts of 4 s, the next run waits $waitMs ms', ({ timeouts, waitMs }) => {
    const penalty = new TimeoutPenalty(30_000)
    for (let index = 0; index < timeouts; index += 1) penalty.timedOut('hog', 4_000, 1_000)
    expect(Math.max(0, penalty.earliestFor('hog', 1_000) - 1_000)).toBe(waitMs)
    expect(penalty.earliestFor('honest', 1_000)).toBe(0)
  })

  test('runs that timed out without having run cause no wait', () => {
    const penalty = new TimeoutPenalty(30_000)
    for (let index = 0; index < 9; index += 1) penalty.timedOut('unlucky', 0, 1_000)
    expect(penalty.earliestFor('unlucky', 1_000)).toBe(1_000)
  })

  test('timeouts are forgotten after ten times the longest wait', () => {
    const penalty = new TimeoutPenalty(30_000)
    for (let index = 0; index < 9; index += 1) penalty.timedOut('hog', 4_000, 1_000)
    expect(penalty.earliestFor('hog', 301_000)).toBe(0)
    penalty.timedOut('hog', 4_000, 301_000)
    expect(penalty.earliestFor('hog', 301_000)).toBe(301_000)
  })

  test('memory is bounded: the tenant that timed out longest ago is forgotten first', () => {
    const penalty = new TimeoutPenalty(30_000)
    for (let tenant = 0; tenant <= 10_000; tenant += 1) {
      for (let index = 0; index < 2; index += 1) penalty.timedOut(`t${tenant}`, 4_000, 1_000)
    }
    expect(penalty.earliestFor('t0', 1_000)).toBe(0)
    expect(penalty.earliestFor('t1', 1_000)).toBe(5_000)
  })
})
