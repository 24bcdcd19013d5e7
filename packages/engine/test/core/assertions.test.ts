import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { vi } from 'vitest'

/*
 * All cases again, with a kernel that is compiled with assertions: items and slots in order, nothing read or written
 * outside of allocated memory. A failed assertion traps.
 */
vi.mock('../../src/core/kernel.bytes.ts', () => {
  const build = join(import.meta.dirname, '../../assembly/build.mjs')
  return { kernelBytes: execFileSync(process.execPath, [build, '--assertions', 'core'], { encoding: 'utf8' }) }
})

await import('../cases.test.ts')
await import('./guards.test.ts')
