import { sql } from 'kysely'
import type { OpenDatabase } from '../store/open.ts'
import { monthOf, monthsBetween } from '../store/periods.ts'
import type { Account, Store } from '../store/store.ts'
import { accountAsJson } from './accounts.ts'
import { instant } from './instant.ts'

interface Sources {
  readonly store: Pick<Store, 'keysOf' | 'usedUnits' | 'days' | 'eventPages'>
  readonly reports: OpenDatabase['reports']
}

/**
 * Everything that is stored about an account except hashes, as one JSON text: the account, its sessions, its keys and,
 * month by month, its usage down to individual calls. Yields pieces of whole lines, each read on demand.
 * @param now milliseconds since 1970 UTC
 */
export async function* exportAccount(
  { store, reports }: Sources,
  account: Account,
  now: number,
): AsyncGenerator<string> {
  const { id, createdAt } = account
  const keys = await store.keysOf(id)
  const facts = {
    exportedAt: instant(now),
    account: accountAsJson(account),
    sessions: await sessionsOf(reports, id),
    keys: keys.map(({ accountId: _, account: __, plan: ___, ...key }) => ({
      ...key,
      createdAt: instant(key.createdAt),
      lastUsedAt: instant(key.lastUsedAt),
      revokedAt: instant(key.revokedAt),
    })),
  }
  yield `${JSON.stringify(facts).slice(0, -1)},"months":[`
  let comma = ''
  for (const month of monthsBetween(monthOf(Math.min(createdAt, now)), monthOf(now))) {
    const query = { accountId: id, month }
    const [used, days] = [await store.usedUnits(id, month), await store.days(query)]
    if (used === 0 && days.length === 0) continue
    yield `${comma}{"month":"${month}","units":${used},"days":${JSON.stringify(days.map(withoutAccount))},"calls":[`
    yield* callsOf(store, query)
    yield ']}'
    comma = ','
  }
  yield ']}'
}

/** Individual calls as the content of a JSON array, one piece per page. */
async function* callsOf(
  store: Sources['store'],
  query: { readonly accountId: string; readonly month: string },
): AsyncGenerator<string> {
  let comma = ''
  for await (const page of store.eventPages(query)) {
    const calls = page.map((call) => JSON.stringify({ ...withoutAccount(call), at: instant(call.at) }))
    yield comma + calls.join(',\n')
    comma = ','
  }
}

/** When each session began and ends: better-auth stores nothing else about them here. */
async function sessionsOf(reports: Sources['reports'], accountId: string): Promise<readonly object[]> {
  const { rows } = await sql<{ begun: Date | string; ends: Date | string }>`
    select s."createdAt" as begun, s."expiresAt" as ends
    from auth_session s join auth_user u on u."id" = s."userId" where u."accountId" = ${accountId}
    order by s."createdAt"`.execute(reports)
  return rows.map(({ begun, ends }) => ({ begun: new Date(begun).toISOString(), ends: new Date(ends).toISOString() }))
}

function withoutAccount<Report extends { readonly account: string }>({
  account: _,
  ...report
}: Report): Omit<Report, 'account'> {
  return report
}
