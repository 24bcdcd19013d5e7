import type { OpenDatabase } from '../../packages/service/dist/store/open.js'

/** Calls, rows, removed, units, refused. */
type Sum = readonly [number, number, number, number, number]

/**
 * Daily sums that differ from the sums of their events. Empty if the ledger balances.
 * @param accountIds only sums of these accounts
 */
export async function wrongSums(
  { kysely }: Pick<OpenDatabase, 'kysely'>,
  accountIds?: readonly string[],
): Promise<readonly string[]> {
  const differences = new Map<string, Sum>()
  const add = (key: readonly (string | null)[], sum: Sum): void => {
    const known = differences.get(key.join(' ')) ?? [0, 0, 0, 0, 0]
    const [calls, rows, removed, units, refused] = known.map((value, i) => value + (sum[i] ?? 0))
    differences.set(key.join(' '), [calls ?? 0, rows ?? 0, removed ?? 0, units ?? 0, refused ?? 0])
  }
  const isWanted = ({ account_id }: { readonly account_id: string }): boolean =>
    accountIds?.includes(account_id) ?? true
  for (const sum of (await kysely.selectFrom('usage_sums').selectAll().execute()).filter(isWanted)) {
    const { account_id, day, key_id, mode, calls, rows, removed, units, refused } = sum
    add([account_id, day, key_id, mode], [calls, rows, removed, units, refused])
  }
  for (const event of (await kysely.selectFrom('usage_events').selectAll().execute()).filter(isWanted)) {
    const { account_id, at, key_id, mode, status, rows, removed, units } = event
    const isRefused = status !== null && status >= 400 && status < 499
    const key = [account_id, new Date(at).toISOString().slice(0, 10), key_id, mode ?? '']
    add(key, isRefused ? [0, 0, -(removed ?? 0), -units, -1] : [-1, -(rows ?? 0), -(removed ?? 0), -units, 0])
  }
  return [...differences]
    .filter(([, sum]) => sum.some((value) => value !== 0))
    .map(([key, sum]) => `the sums of ${key} differ from their events by ${sum.join(', ')}`)
}
