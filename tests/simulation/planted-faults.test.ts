import { expect, test } from 'vitest'
import { PLANTED_FAULTS } from './planted-faults.ts'
import { firstBroken } from './runs.ts'

/* The simulation is worth what it finds: faults that were put in on purpose. */

test.each(PLANTED_FAULTS)('within 1,000 worlds it is found that $fault', async ({ fault: _, ...plant }) => {
  expect(await firstBroken({ from: 1, count: 1_000, plant })).toBeDefined()
})
