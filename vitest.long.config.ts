import { defineConfig } from 'vitest/config'

/** Property tests with many runs; `npm test` does a tenth of them. */
const PROPERTIES = [
  'packages/engine/test/**/*.test.ts',
  'packages/service/test/{compute/parse-request,email-validation/syntax,http/fuzz,http/pipelining,store/admission}.test.ts',
]

/** What takes minutes: `npm run test:long`. One file at a time, since each fills the machine. */
export default defineConfig({
  test: {
    include: ['tests/long/**/*.test.ts', ...PROPERTIES],
    env: { RUNS: '1' },
    globalSetup: 'tests/support/global-setup.ts',
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 600_000 } },
    fileParallelism: false,
  },
})
