import { defineConfig, mergeConfig } from 'vitest/config'
import unit from '../../vitest.unit.config.ts'

/**
 * Unit tests with short timeouts, because many mutants wait forever; without those that compile the kernel anew, which
 * takes longer than all others and repeats their cases.
 */
export default mergeConfig(
  unit,
  defineConfig({
    test: {
      exclude: ['packages/engine/test/{core/assertions,fuzzy/bounds}.test.ts'],
      testTimeout: 8_000,
      hookTimeout: 8_000,
      expect: { poll: { timeout: 4_000 } },
    },
  }),
)
