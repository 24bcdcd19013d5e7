import { describe, expect, test } from 'vitest'
import { sharedPostgres } from '../support/shared-postgres.ts'
import { usesPostgres } from '../support/store-selection.ts'
import { onPostgres } from './databases.ts'
import { firstBroken, replayHint } from './runs.ts'
import { simulate } from './world.ts'

/* See world.ts. Thousands more worlds: tests/long/simulation.test.ts. */

const { SEED } = process.env

describe.runIf(SEED)('replay of one world', () => {
  test(`seed ${SEED}`, async () => {
    const { trace, violations } = await simulate(Number(SEED))
    console.log(trace.join('\n'))
    expect(violations).toEqual([])
  })
})

/** What has to happen in at least one world, so that the rules are really tested. */
const EXPECTED_EVENTS = [
  ...['disk full', 'database down', 'answers lost', 'database frozen', 'database slow', 'row held'],
  ...[
    'process killed',
    'process stopped',
    'process frozen',
    'clock set',
    'ledger pruned',
    'key revoked',
    'plan raised',
  ],
  ...['write is refused: it failed', 'write is refused: a bad value', 'write is refused: held', 'write is lost'],
  ...['write falls silent, runs', 'write falls silent, does not run', 'look-up is refused', 'settle is lost'],
  ...['settled, written', 'settled, never written', 'has stopped', 'received by nobody'],
  ...[
    'ends: result',
    'ends: none',
    'ends: 400',
    'ends: 401',
    'ends: 429 monthly',
    'ends: 429 rate',
    'ends: 429 keyless',
  ],
  ...['ends: 500', 'ends: 503 fuzzy', 'ends: 503 usage'],
]

describe.skipIf(SEED)('the ledger in simulated worlds', () => {
  test('no rule is violated in 100 worlds, and every kind of fault occurs', async () => {
    const unseen = new Set(EXPECTED_EVENTS)
    const onWorld = ({ trace }: { readonly trace: readonly string[] }): void => {
      const text = trace.join('\n')
      for (const what of unseen) if (text.includes(what)) unseen.delete(what)
    }
    expect(await firstBroken({ from: 1, count: 100, onWorld })).toBeUndefined()
    expect([...unseen]).toEqual([])
  })

  test('the same seed gives the same world', async () => {
    for (let seed = 1; seed <= 10; seed += 1) expect(await simulate(seed)).toEqual(await simulate(seed))
  })

  test.runIf(usesPostgres)('the trace on PostgreSQL is the same, line by line', async () => {
    const postgres = await sharedPostgres()
    const database = await onPostgres(await postgres.createDatabase())
    for (let seed = 501; seed <= 510; seed += 1) {
      const world = await simulate(seed, { database })
      expect(world.violations, replayHint(world)).toEqual([])
      expect(world).toEqual(await simulate(seed))
    }
    await database.close()
  })
})
