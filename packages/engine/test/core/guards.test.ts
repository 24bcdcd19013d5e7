import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runs } from '../../../../tests/support/runs.ts'
import { Space } from '../../src/core/space.ts'
import { judgeSource } from '../../src/page/index.ts'
import { readRequest, runRequest } from '../../src/request/index.ts'
import { siftJson, siftLines, siftRows } from '../../src/stream/index.ts'
import { deduplicateFiles } from '../stream/deduplicate.ts'
import { anyRequest } from '../support/arbitraries.ts'
import { seed } from '../support/seed.ts'

/*
 * Nothing is written beyond the end of an allocation: each one in the kernel's memory is followed by a pattern,
 * starting 16 bytes after its end (whole vectors are copied), which has to be intact afterwards. RUNS=30 runs for
 * minutes instead of seconds.
 */
const SEED = seed()
const numRuns = runs(3_000)
const PATTERN = 0xa5
const VECTOR_BYTES = 16
const INTACT = Buffer.alloc(1_024, PATTERN)

let guards: { space: Space; at: number; bytes: number }[] = []

beforeEach(() => {
  guards = []
  const allocate = Space.prototype.allocate
  vi.spyOn(Space.prototype, 'allocate').mockImplementation(function (this: Space, bytes: number): number {
    const start = allocate.call(this, bytes)
    const at = Math.ceil(start + bytes) + VECTOR_BYTES
    const guard = { space: this, at, bytes: this.kernel.slackBytes() - VECTOR_BYTES - 1 }
    this.bytes.fill(PATTERN, guard.at, guard.at + guard.bytes)
    guards.push(guard)
    return start
  })
  const clear = Space.prototype.clear
  vi.spyOn(Space.prototype, 'clear').mockImplementation(function (this: Space): void {
    check()
    clear.call(this)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

function check(): void {
  for (const { space, at, bytes } of guards) {
    if (Buffer.compare(space.bytes.subarray(at, at + bytes), INTACT.subarray(0, bytes)) !== 0)
      expect.fail('overwritten')
  }
  guards = []
}

test('requests of every kind write nothing beyond their allocations', () => {
  fc.assert(
    fc.property(anyRequest, ({ question, data }) => {
      const body = new TextEncoder().encode(`{"mode":"${question.mode}","data":${data}}`)
      const read = readRequest(body.slice())
      check()
      if (read?.data) runRequest(read.data, question, { seed: SEED })
      check()
    }),
    { numRuns },
  )
})

test('nor do bodies that are truncated anywhere', () => {
  fc.assert(
    fc.property(anyRequest, fc.nat(), ({ question, data }, at) => {
      const body = new TextEncoder().encode(`{"mode":"${question.mode}","data":${data}}`)
      readRequest(body.slice(0, at % (body.length + 1)))
      check()
    }),
    { numRuns },
  )
})

test('nor do streams in chunks of any length, comparing hashes or keys', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(anyRequest, lengths, fc.boolean(), ({ question: { mode, options }, data }, cuts, exact) => {
      const text = mode === 'json' ? data : String(JSON.parse(data))
      deduplicateFiles(
        [text],
        (stream) => {
          if (mode === 'lines') return siftLines(options, stream)
          return mode === 'rows' ? siftRows(options, stream) : siftJson({ ...options, isLines: false }, stream)
        },
        { lengths: cuts, exact },
      )
      check()
    }),
    { numRuns: Math.ceil(numRuns / 3) },
  )
})

test('nor do lists on a page, and the results that it saves', async () => {
  await fc.assert(
    fc.asyncProperty(anyRequest, fc.constantFrom('api', 'file'), async ({ question, data }, form) => {
      const text = question.mode === 'json' ? data : String(JSON.parse(data)).replaceAll(/\p{Surrogate}/gu, '?')
      const judged = await judgeSource(new Blob([text]), question, { seed: SEED, form })
      for await (const _ of judged.result()) check()
      await judged.show(Array.from({ length: judged.count }, (_, entry) => entry))
      check()
    }),
    { numRuns: Math.ceil(numRuns / 3) },
  )
})

test('nor does a result on a page that is longer than its source', async () => {
  const options = { keyColumns: [], hasHeader: false, caseSensitive: true, fuzzy: false, threshold: 0.9 }
  const source = new Blob(Array.from({ length: 30 }, (_, row) => `a${'"'.repeat(8_000 + row)}\n`))
  const judged = await judgeSource(source, { mode: 'rows', options }, { seed: SEED, form: 'api' })
  for await (const _ of judged.result()) check()
  check()
})

test('nor do texts of all lengths around the kernel’s vector size, of the characters that take most space', () => {
  for (const unit of ['\\u0001', '\\"', 'Ⱥ', '\\ud800', '","', '1e20,', '\\n', 'a']) {
    for (let count = 0; count < 70; count++) {
      const lines = { mode: 'lines', options: { trim: true, ignoreCase: true, dropEmpty: false } } as const
      const all = { hasHeader: false, fuzzy: false, threshold: 0.9 }
      const rows = { mode: 'rows', options: { ...all, keyColumns: [count % 3], caseSensitive: false } } as const
      const whole = { mode: 'rows', options: { ...all, keyColumns: [], caseSensitive: count % 2 === 0 } } as const
      for (const question of [lines, rows, whole]) {
        const written = unit === '","' ? '\\",\\"' : unit
        const body = new TextEncoder().encode(`{"mode":"${question.mode}","data":"${written.repeat(count)}"}`)
        const read = readRequest(body.slice())
        if (!read?.data) throw new Error('rejected')
        runRequest(read.data, question, { seed: SEED })
        check()
      }
    }
  }
})
