import { defineConfig } from 'vitest/config'

/** What takes minutes: `npm run test:long`. One file at a time, since each fills the machine. */
export default defineConfig({
  test: {
    include: ['tests/long/**/*.test.ts'],
    globalSetup: 'tests/support/global-setup.ts',
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 600_000 } },
    fileParallelism: false,
  },
})
