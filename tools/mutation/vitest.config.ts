import { defineConfig, mergeConfig } from 'vitest/config'
import unit from '../../vitest.unit.config.ts'

/** Unit tests with short timeouts: many mutants wait forever. */
export default mergeConfig(
  unit,
  defineConfig({ test: { testTimeout: 8_000, hookTimeout: 8_000, expect: { poll: { timeout: 4_000 } } } }),
)
