import { type Kysely, sql } from 'kysely'
import { boundsOf, monthOf } from './periods.ts'
import { isOfMonth } from './reports.ts'
import type { Schema } from './schema.ts'
import type { Imbalance, Store } from './store.ts'

/** Accounts per statement, so that each is a short snapshot. */
const ACCOUNTS_AT_ONCE = 500

/**
 * Checks counters: each account's month must equal the sum of the units of its events and daily totals, and so must the
 * totals that reports use. All data of an account is read in one statement, so that concurrent charges do not
 * interfere.
 */
export function createVerification(kysely: Kysely<Schema>): Pick<Store, 'imbalances'> {
  return {
    async imbalances(month) {
      const months = month === undefined ? await monthsOf(kysely) : [month]
      const found: Imbalance[] = []
      let accounts = await accountsAfter(kysely, '')
      while (accounts.length > 0) {
        for (const each of months) found.push(...(await imbalancesOf(kysely, each, accounts)))
        accounts = await accountsAfter(kysely, accounts.at(-1) ?? '')
      }
      return found.sort((a, b) => (a.account + a.month < b.account + b.month ? -1 : 1))
    },
  }
}

/** Every month with any data. */
async function monthsOf(kysely: Kysely<Schema>): Promise<readonly string[]> {
  const counters = await kysely.selectFrom('usage_months').select('month').distinct().execute()
  const days = await kysely.selectFrom('usage_days').select('day').distinct().execute()
  const months = new Set([...counters.map(({ month }) => month), ...days.map(({ day }) => day.slice(0, 7))])
  const { oldest, newest } = await kysely
    .selectFrom('usage_events')
    .select(({ fn }) => [fn.min('at').as('oldest'), fn.max('at').as('newest')])
    .executeTakeFirstOrThrow()
  if (oldest === null || newest === null) return [...months]
  for (let at = oldest; at <= newest; at = boundsOf(monthOf(at)).end) months.add(monthOf(at))
  return [...months]
}

async function accountsAfter(kysely: Kysely<Schema>, id: string): Promise<readonly string[]> {
  const query = kysely.selectFrom('accounts').select('id').where('id', '>', id).orderBy('id').limit(ACCOUNTS_AT_ONCE)
  return (await query.execute()).map((row) => row.id)
}

async function imbalancesOf(
  kysely: Kysely<Schema>,
  month: string,
  accountIds: readonly string[],
): Promise<readonly Imbalance[]> {
  const { start, end } = boundsOf(month)
  const units = sql<number>`cast(coalesce(sum(units), 0) as bigint)`
  const ofMonth = isOfMonth(sql.ref('accounts.id'), month)
  const rows = await kysely
    .selectFrom('accounts')
    .select(({ selectFrom }) => [
      'accounts.email as account',
      selectFrom('usage_months')
        .select('used')
        .whereRef('usage_months.account_id', '=', 'accounts.id')
        .where('month', '=', month)
        .as('used'),
      selectFrom('usage_events')
        .select(units.as('units'))
        .whereRef('usage_events.account_id', '=', 'accounts.id')
        .where('at', '>=', start)
        .where('at', '<', end)
        .as('single'),
      selectFrom('usage_sums').select(units.as('units')).where(ofMonth).as('summed'),
      selectFrom('usage_days').select(units.as('units')).where(ofMonth).as('rolledUp'),
    ])
    .where('accounts.id', 'in', [...accountIds])
    .execute()
  return rows
    .map(({ account, used, single, summed, rolledUp }) => {
      const before = rolledUp ?? 0
      return { account, month, used: used ?? 0, sum: before + (single ?? 0), reported: before + (summed ?? 0) }
    })
    .filter(({ used, sum, reported }) => used !== sum || reported !== sum)
}
