import { defineConfig, mergeConfig } from 'vitest/config'
import { usesPostgres } from '../../tests/support/store-selection.ts'
import unit from '../../vitest.unit.config.ts'

/** How long the slowest test takes, several times over. With PostgreSQL, that is one of a network that falls silent. */
const PATIENCE_MS = usesPostgres ? 30_000 : 8_000

/**
 * Unit tests with short timeouts, because many mutants wait forever; without those that compile the kernel again, which
 * takes longer than all others and repeats their cases.
 */
export default mergeConfig(
  unit,
  defineConfig({
    test: {
      exclude: ['packages/engine/test/{core/assertions,fuzzy/bounds}.test.ts'],
      testTimeout: PATIENCE_MS,
      hookTimeout: PATIENCE_MS,
      expect: { poll: { timeout: 4_000 } },
    },
  }),
)
