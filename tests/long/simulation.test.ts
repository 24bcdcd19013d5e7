import { expect, test } from 'vitest'
import { firstBroken } from '../simulation/runs.ts'

test('10,000 simulated runs break no rule', async () => {
  expect(await firstBroken({ from: 201, count: 10_000 })).toBeUndefined()
})
