import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { vi } from 'vitest'

/*
 * The whole table of cases once more, by a kernel that checks itself: items in order, slots in order, nothing read or
 * written outside of what was given out. What fails an assertion traps.
 */
vi.mock('../../src/core/kernel.bytes.ts', () => {
  const build = join(import.meta.dirname, '../../assembly/build.mjs')
  return { kernelBytes: execFileSync(process.execPath, [build, '--assertions', 'core'], { encoding: 'utf8' }) }
})

await import('../cases.test.ts')
await import('./guards.test.ts')
