import { join } from 'node:path'
import { test } from 'vitest'
import { runSuites } from '../support/suites.ts'

/** The suites that write to PostgreSQL, where some transactions then lose to concurrent ones. */
const SUITES = ['admission', 'deletion', 'instances', 'keys', 'usage'].map((name) =>
  join('packages/service/test/store', `${name}.test.ts`),
)

test("the store's suites pass with serializable transactions that conflict with each other", async () => {
  await runSuites(SUITES, { ...process.env, TEST_CONTENTION: '1' })
})
