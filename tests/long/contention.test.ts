import { join } from 'node:path'
import { test } from 'vitest'
import { runSuites } from '../support/suites.ts'

/** What is written to PostgreSQL, where writes lose now and then against another transaction. */
const SUITES = ['admission', 'deletion', 'instances', 'keys', 'usage'].map((name) =>
  join('packages/service/test/store', `${name}.test.ts`),
)

test("the store's suite passes where transactions are strictly isolated and lose against each other", async () => {
  await runSuites(SUITES, { ...process.env, TEST_CONTENTION: '1' })
})
