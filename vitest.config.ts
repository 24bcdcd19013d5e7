import { defineConfig } from 'vitest/config'

/** Unit tests stand beside their package; `tests/` holds the product to its word from outside. */
export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'tests/long/**'],
    // No test may depend on being alone or fast: two cores, many real processes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // One more than the cores: some tests wait for a clock, a name server or a browser most of the time.
    maxWorkers: 3,
    // Browsers and other processes may stumble once on a busy machine; a fault of ours fails twice.
    retry: 1,
  },
})
