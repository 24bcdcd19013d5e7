import { expect, test } from 'vitest'
import { PLANTED_FAULTS } from './planted-faults.ts'
import { firstBroken } from './runs.ts'

/* Checks the simulation itself: it has to find faults that are planted on purpose. */

test.each(PLANTED_FAULTS)('found within 1,000 worlds: $fault', async ({ fault: _, ...plant }) => {
  expect(await firstBroken({ from: 1, count: 1_000, plant })).toBeDefined()
})
