import { defineConfig } from 'vitest/config'
import { hasPostgres } from './tests/support/stores-of-run.ts'

const ALL_ABOUT_POSTGRES = ['**/store/postgres-faults.test.ts', '**/store/instances.test.ts']

/** Unit tests stand beside their package; `tests/` holds the product to its word from outside. */
export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'tests/long/**', ...(hasPostgres ? [] : ALL_ABOUT_POSTGRES)],
    globalSetup: 'tests/support/global-setup.ts',
    // No test may depend on being alone or fast: two cores, many real processes. What never comes fails by these.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 240_000 } },
    // More than the cores: many tests wait for a process, a browser or a clock most of the time.
    maxWorkers: 6,
  },
})
