import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../packages/service/dist/store/open.js'
import { memberOf, newPerson, type Person, textOf, visit } from '../support/person.ts'
import type { RunningServer } from '../support/server.ts'
import { describeOnEachStore } from '../support/stores.ts'

/** More than one page of the report, and more than the dashboard shows. */
const CALLS = 2_500

/** Statuses in turn: most answered, some refused, few failed, one open. */
const STATUSES = [200, 200, 200, 429, 400, 200, 503, 200, null, 200]

describeOnEachStore('what an account used', (server) => {
  let person: Person
  let keys: { id: string; name: string; token: string }[]
  beforeAll(async () => {
    person = await newPerson(server())
    await server().operator.setPlan(person.email, 'starter')
    keys = await Promise.all(['first', '=second'].map((name) => makeKey(server(), person.cookie, name)))
    await writeCalls(
      server(),
      person.email,
      keys.map(({ id }) => id),
    )
  })

  const ask = (path: string) => visit(server(), path, { cookie: person.cookie })
  const lines = async (path: string) => (await ask(path)).text.trimEnd().split('\r\n')

  test('is a file of the whole month, oldest first', async () => {
    const [head, ...calls] = await lines('/app/account/calls.csv')
    expect(head).toBe('at,keyName,keyPrefix,mode,rows,removed,units,status,durationMs')
    expect(calls).toHaveLength(CALLS)
    const instants = calls.map((line) => line.slice(0, 24))
    expect(instants).toEqual(instants.toSorted())
  })

  test.each([
    { status: 'answered', calls: 1_500 },
    { status: 'refused', calls: 500 },
    { status: 'failed', calls: 250 },
    { status: 'open', calls: 250 },
    { status: '429', calls: 250 },
    { status: '404', calls: 0 },
  ])('can be narrowed to $status, in the file and on the page', async ({ status, calls }) => {
    expect(await lines(`/app/account/calls.csv?status=${status}`)).toHaveLength(1 + calls)
    const page = (await ask(`/app/account/calls?status=${status}`)).json
    expect(memberOf(page, 'calls')).toHaveLength(Math.min(500, calls))
    expect(memberOf(page, 'more')).toBe(calls > 500)
  })

  test('can be narrowed to a key, and to another account’s key it can’t', async () => {
    const [first] = keys
    expect(await lines(`/app/account/calls.csv?key=${first?.id}`)).toHaveLength(1 + CALLS / 2)
    expect(await lines(`/app/account/calls.csv?key=${first?.id}&status=refused`)).toHaveLength(1 + 250)
    const newIdentity = await newPerson(server())
    const theirs = await makeKey(server(), newIdentity.cookie, 'theirs')
    expect(await lines(`/app/account/calls.csv?key=${theirs.id}`)).toHaveLength(1)
    const asked = await visit(server(), `/app/account/calls?key=${first?.id}`, { cookie: newIdentity.cookie })
    expect(asked.json).toEqual({ calls: [], more: false })
  })

  test('is shown newest first on the page', async () => {
    const calls = memberOf((await ask('/app/account/calls')).json, 'calls')
    if (!Array.isArray(calls)) throw new Error('no calls')
    const instants = calls.map((call) => textOf(call, 'at'))
    expect(instants).toEqual(instants.toSorted().toReversed())
  })

  test.each(['status=good', 'status=99', 'status=', 'month=2026-13', 'key='])(
    '%s is told to be wrong',
    async (query) => {
      for (const path of ['calls', 'calls.csv'])
        expect(await ask(`/app/account/${path}?${query}`)).toMatchObject({
          status: 400,
          json: { error: 'invalid input' },
        })
    },
  )

  test('is summed up by key, and over the last thirty days', async () => {
    const { json } = await ask('/app/account/usage')
    expect(memberOf(json, 'keys')).toEqual(
      [...keys].reverse().map(({ id, name, token }) => ({
        keyId: id,
        name,
        prefix: token.slice(0, 12),
        calls: 1_000,
        refused: 250,
        units: name === 'first' ? 1_750 : 2_625,
      })),
    )
    expect(memberOf(json, 'lastDays')).toEqual({ days: 30, calls: 2_000, units: 4_375 })
  })

  describe('taken along with all that is stored', () => {
    test('holds the account, its keys, sessions and every call, and no hash', async () => {
      const file = await ask('/app/account/export')
      expect(file.headers['content-disposition']).toBe('attachment; filename="keepfirst-account.json"')
      const { json } = file
      expect(memberOf(json, 'account')).toMatchObject({
        email: person.email,
        plan: 'starter',
        madeBy: 'sign-up',
        claimedAt: null,
      })
      expect(memberOf(json, 'sessions')).toEqual([{ begun: expect.any(String), ends: expect.any(String) }])
      expect(memberOf(json, 'keys')).toMatchObject(keys.map(({ id, name }) => ({ id, name, madeBy: 'sign-up' })))
      const months = memberOf(json, 'months')
      if (!Array.isArray(months)) throw new Error('no months')
      expect(months.flatMap((month) => memberOf(month, 'calls'))).toHaveLength(CALLS)
      expect(file.text).not.toMatch(/hash|password/i)
      for (const { token } of keys) expect(file.text).not.toContain(token)
    })

    test('is the same from the operator’s command', async () => {
      const theirs = JSON.parse((await server().cli('accounts', 'export', person.email)).stdout)
      const ours = (await ask('/app/account/export')).json
      expect({ ...theirs, exportedAt: '' }).toEqual({ ...Object(ours), exportedAt: '' })
    })
  })
})

async function makeKey(server: RunningServer, cookie: string, name: string) {
  const { json } = await visit(server, '/app/account/keys', { cookie, body: { name } })
  return { id: textOf(memberOf(json, 'key'), 'id'), name, token: textOf(json, 'token') }
}

/** Writes today's calls as the ledger would, alternating between the keys, one per millisecond. */
async function writeCalls(server: RunningServer, email: string, keyIds: readonly string[]): Promise<void> {
  const { store, kysely } = await openDatabase(server.databaseUrl, randomBytes)
  const account = await store.findAccount(email)
  const start = Math.floor(Date.now() / 86_400_000) * 86_400_000
  const rows = Array.from({ length: CALLS }, (_, i) => {
    const status = STATUSES[Math.floor(i / 2) % STATUSES.length] ?? null
    const key = i % keyIds.length
    return {
      account_id: account?.id ?? '',
      key_id: keyIds[key] ?? '',
      at: start + i,
      mode: 'lines' as const,
      rows: 1,
      removed: status === 200 ? 0 : null,
      units: status === null || status === 200 ? 2 + key : 0,
      status,
      duration_ms: 1,
    }
  })
  for (let i = 0; i < rows.length; i += 500)
    await kysely
      .insertInto('usage_events')
      .values(rows.slice(i, i + 500))
      .execute()
  await store.close()
}
