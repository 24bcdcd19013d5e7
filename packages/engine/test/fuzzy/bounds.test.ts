import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { runs } from '../../../../tests/support/runs.ts'
import { type FuzzyKernel, type Opened, openFuzzyKernel } from '../../src/fuzzy/kernel.ts'
import { giveRequest } from '../../src/fuzzy/leaders.ts'
import { hasExports } from '../../src/wasm.ts'
import { codePoints, referenceDistance } from '../reference/fuzzy.ts'
import { nearKeys, thresholds } from './arbitraries.ts'

/* The kernel is compiled once more, with the individual bounds among its exports. */
vi.mock('../../src/fuzzy/kernel.bytes.ts', () => {
  const build = [join(import.meta.dirname, '../../assembly/build.mjs'), '--exports', 'bounds.ts', 'fuzzy']
  return { kernelBytes: execFileSync(process.execPath, build, { encoding: 'utf8' }) }
})

/** Keys are given by position; boolean results are 0 or 1. */
interface KernelWithBounds extends FuzzyKernel {
  allowedDistance(length: number, threshold: number): number
  lengthsMeet(a: number, b: number): number
  lettersBound(a: number, b: number, lane: number): number
  bigramsBound(a: number, b: number, bits: number): number
  segmentsFind(query: number, key: number): number
  laneKind(m: number, n: number, k: number): number
  bandWithin(a: number, b: number, k: number, kind: number): number
  pairWithin(a: number, b: number, k: number): number
  blocksWithin(a: number, b: number, k: number): number
  pointsWithin(a: number, b: number, k: number): number
}

function openWithBounds(): Opened & { readonly kernel: KernelWithBounds } {
  const { kernel, memory } = openFuzzyKernel(() => {})
  if (!hasBounds(kernel)) throw new Error('the kernel does not export its bounds')
  return { kernel, memory }
}

function hasBounds(kernel: FuzzyKernel): kernel is KernelWithBounds {
  return hasExports(kernel, ['allowedDistance', 'bandWithin', 'segmentsFind'])
}

const ALONE = 4
/** If there are more distinct code points than this, several share a class. */
const MAX_CLASSES = 64

interface Pair {
  readonly kernel: KernelWithBounds
  readonly a: number
  readonly b: number
  readonly m: number
  readonly n: number
  readonly distance: number
  readonly allowed: number
  readonly classesAreShared: boolean
}

/** Checks a property for pairs of keys, near and far, of all lengths and alphabets. */
function everyPair(check: (pair: Pair) => void): void {
  const lists = fc.oneof(
    nearKeys({ shortest: 0, longest: 12, mostKeys: 6, mostEdits: 6 }),
    nearKeys({ shortest: 13, longest: 40, mostKeys: 5, mostEdits: 18 }),
    nearKeys({ shortest: 41, longest: 200, mostKeys: 3, mostEdits: 60 }),
  )
  fc.assert(
    fc.property(lists, thresholds, fc.nat(), (keys, threshold, seed) => {
      const opened = openWithBounds()
      giveRequest(opened, keys, threshold, { batchSize: 1, indexing: true, seed })
      const points = keys.map(codePoints)
      const classesAreShared = new Set(points.flat()).size > MAX_CLASSES
      points.forEach((left, a) => {
        points.forEach((right, b) => {
          const allowed = opened.kernel.allowedDistance(Math.max(left.length, right.length), threshold)
          const distance = referenceDistance(left, right)
          check({ kernel: opened.kernel, a, b, m: left.length, n: right.length, distance, allowed, classesAreShared })
        })
      })
    }),
    { numRuns: runs(200) },
  )
}

describe('no bound ever exceeds the true distance', () => {
  test('allowed distance: the largest one whose similarity still reaches the threshold', () => {
    const { allowedDistance } = openWithBounds().kernel
    const lengths = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 3_000_000 }))
    fc.assert(
      fc.property(lengths, fc.oneof(thresholds, fc.double({ min: 0.5, max: 1, noNaN: true })), (length, threshold) => {
        const allowed = allowedDistance(length, threshold)
        expect((length - allowed) / length).toBeGreaterThanOrEqual(threshold)
        expect((length - allowed - 1) / length).toBeLessThan(threshold)
        // A longer key allows at least as much, and at most one more, so that keys to compare form a range of lengths.
        const next = allowedDistance(length + 1, threshold)
        expect(next === allowed || next === allowed + 1).toBe(true)
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('length: near keys pass the length filter', () => {
    everyPair(({ kernel, a, b, distance, allowed }) => {
      if (distance <= allowed) expect(kernel.lengthsMeet(a, b)).toBe(1)
    })
  })

  test('letters: at most as many as the distance are in one key only', () => {
    everyPair(({ kernel, a, b, distance }) => {
      expect(kernel.lettersBound(a, b, (a + 7 * b) % 32)).toBeLessThanOrEqual(distance)
    })
  })

  test.each([256, 512, 1_024, 8_192])(
    'bigrams: at most twice as many as the distance are in one key only (%i bits)',
    (bits) => {
      everyPair(({ kernel, a, b, distance }) => {
        expect(kernel.bigramsBound(a, b, bits)).toBeLessThanOrEqual(2 * distance)
      })
    },
  )

  test('segments: near keys have a segment in common', () => {
    everyPair(({ kernel, a, b, distance, allowed }) => {
      if (distance <= allowed) expect(kernel.segmentsFind(a, b)).toBe(1)
    })
  })

  test('classes: the distance between the classes of two keys is at most that between the keys', () => {
    everyPair(({ kernel, a, b, m, n, distance }) => {
      if (m > 0 && n > 0) expect(kernel.blocksWithin(a, b, distance)).toBe(1)
    })
  })
})

describe('whether keys are within a distance is decided exactly', () => {
  test('code points', () => {
    everyPair(({ kernel, a, b, distance, classesAreShared }) => {
      if (!classesAreShared) return
      expect(kernel.pointsWithin(a, b, distance)).toBe(1)
      if (distance > 0) expect(kernel.pointsWithin(a, b, distance - 1)).toBe(0)
    })
  })

  test.each(['pairWithin', 'blocksWithin'] as const)('pairs: %s', (within) => {
    everyPair(({ kernel, a, b, m, n, distance, classesAreShared }) => {
      if (classesAreShared || m === 0 || n === 0) return
      const fewest = Math.abs(m - n)
      for (const k of [fewest, distance - 2, distance - 1, distance, distance + 1, Math.max(m, n)]) {
        if (k >= fewest) expect(kernel[within](a, b, k)).toBe(distance <= k ? 1 : 0)
      }
    })
  })

  test('lanes of 8, 16, 32 and 64 diagonals', () => {
    everyPair(({ kernel, a, b, m, n, distance, classesAreShared }) => {
      if (classesAreShared || m === 0 || n === 0) return
      for (const k of [Math.abs(m - n), distance - 1, distance, distance + 1]) {
        if (k < Math.abs(m - n)) continue
        for (let kind = kernel.laneKind(n, m, k); kind < ALONE; kind++) {
          expect(kernel.bandWithin(a, b, k, kind)).toBe(distance <= k ? 1 : 0)
        }
      }
    })
  })
})
