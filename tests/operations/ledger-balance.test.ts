import { describe, expect, test } from 'vitest'
import { type Answer, type RunningServer, startServer } from '../support/server.ts'
import { usesPostgres } from '../support/store-selection.ts'
import { startOnPostgres } from '../support/stores.ts'

const lines = (count: number) => ({ mode: 'lines', data: '\n'.repeat(count - 1) })

/** Used units according to the counter, and the sum of the units of the events. */
async function ledger(server: RunningServer, account: string): Promise<{ used: number; sum: number }> {
  const [month] = JSON.parse((await server.cli('usage', '--account', account, '--json')).stdout)
  const events = await server.operator.allEvents(account)
  return { used: month.used, sum: events.reduce((units, event) => units + Number(event.units), 0) }
}

describe('the ledger balances', () => {
  test('after kill -9 under load, all answered requests are billed, and the counter is the sum of the events', async () => {
    const first = await startServer()
    const { token } = await first.key('crash@example.com', 'pro')
    const answered: Answer[] = []
    const load = Array.from({ length: 8 }, async () => {
      for (let call = 0; call < 30; call++) {
        const answer = await first.call({ token, body: lines(3) }).catch(() => undefined)
        if (!answer) return
        answered.push(answer)
        if (answered.length === 60) await first.stop('SIGKILL')
      }
    })
    await Promise.all(load)
    const again = await startServer({ folder: first.folder })
    const { used, sum } = await ledger(again, 'crash@example.com')
    expect(used).toBe(sum)
    expect(used).toBeGreaterThanOrEqual(answered.filter(({ status }) => status === 200).length * 3)
    expect((await again.call({ token, body: lines(3) })).status).toBe(200)
    expect(await ledger(again, 'crash@example.com')).toEqual({ used: used + 3, sum: sum + 3 })
    await again.stop()
  })

  test.runIf(usesPostgres)(
    'two instances with one PostgreSQL database admit exactly what fits the allowance',
    async () => {
      const one = await startOnPostgres()
      const two = await startServer({ databaseUrl: one.databaseUrl })
      const { token } = await one.key('shared@example.com', 'starter')
      for (const units of [50_000, 49_500]) await one.call({ token, body: lines(units) })
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, call) => (call % 2 ? one : two).call({ token, body: lines(30) })),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(16) // 500 / 30
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(24)
      expect(await ledger(two, 'shared@example.com')).toEqual({ used: 99_980, sum: 99_980 })
      await two.stop()
      await one.stop()
    },
  )

  test.runIf(usesPostgres)('a key revoked by one instance gets 401 from the other at once', async () => {
    const one = await startOnPostgres()
    const two = await startServer({ databaseUrl: one.databaseUrl })
    const { id, token } = await one.key('everywhere@example.com')
    expect((await two.call({ token, body: lines(1) })).status).toBe(200)
    await one.cli('keys', 'revoke', id)
    expect((await two.call({ token, body: lines(1) })).status).toBe(401)
    await two.stop()
    await one.stop()
  })
})
