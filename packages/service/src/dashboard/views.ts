import type { AccountView, CallView, DayView, KeyUsageView, KeyView } from '@keepfirst/protocol'
import { instant } from '../accounts/instant.ts'
import type { Account, DayUsage, Key, UsageEvent } from '../store/store.ts'
import { type Cell, toCsv } from './csv.ts'

/* The store's data as the page sees it: nothing from other accounts, no hashes, times as ISO 8601 text. */

/** The account, without its identifier and who made it. */
export function accountView({ email, plan, createdAt, claimedAt }: Account): AccountView {
  return { email, plan, createdAt: instant(createdAt), verified: claimedAt !== null }
}

/** A key, without its account and who made it. */
export function keyView({ id, name, prefix, createdAt, lastUsedAt, revokedAt }: Key): KeyView {
  return {
    id,
    name,
    prefix,
    createdAt: instant(createdAt),
    lastUsedAt: instant(lastUsedAt),
    revokedAt: instant(revokedAt),
  }
}

/** Totals over keys: one entry per day and mode, oldest day first. */
export function dayViews(days: readonly DayUsage[]): DayView[] {
  const sums = new Map<string, DayView>()
  for (const { day, mode, calls, refused, units } of days) {
    const name = `${day} ${mode}`
    const sum = sums.get(name) ?? { day, mode, calls: 0, refused: 0, units: 0 }
    sums.set(name, {
      day,
      mode,
      calls: sum.calls + calls,
      refused: sum.refused + refused,
      units: sum.units + units,
    })
  }
  return [...sums.values()].sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
}

/** Totals over days and modes: one entry per key, most units first. */
export function keyUsageViews(days: readonly DayUsage[], keys: readonly Key[]): KeyUsageView[] {
  const sums = new Map<string, KeyUsageView>()
  const known = new Map(keys.map((key) => [key.id, key]))
  for (const { keyId, calls, refused, units } of days) {
    const { name = '', prefix = '' } = known.get(keyId) ?? {}
    const sum = sums.get(keyId) ?? { keyId, name, prefix, calls: 0, refused: 0, units: 0 }
    sums.set(keyId, {
      ...sum,
      calls: sum.calls + calls,
      refused: sum.refused + refused,
      units: sum.units + units,
    })
  }
  return [...sums.values()].sort((a, b) => b.units - a.units || b.calls - a.calls)
}

/** Each call with the name of its key. */
export function callViews(events: readonly UsageEvent[], keys: readonly Key[]): CallView[] {
  const names = new Map(keys.map((key) => [key.id, key.name]))
  return events.map(({ at, account: _, keyId, ...call }) => ({
    at: instant(at),
    keyId,
    keyName: names.get(keyId) ?? '',
    ...call,
  }))
}

const COLUMNS = [
  'at',
  'keyName',
  'keyPrefix',
  'mode',
  'rows',
  'removed',
  'units',
  'status',
  'durationMs',
] as const satisfies readonly (keyof CallView)[]

/** Calls as a CSV file with a header, one piece per page of results. */
export async function* callsFile(
  pages: AsyncIterable<readonly UsageEvent[]>,
  keys: readonly Key[],
): AsyncGenerator<string> {
  yield toCsv([COLUMNS])
  for await (const page of pages) {
    yield toCsv(callViews(page, keys).map((call) => COLUMNS.map((column): Cell => call[column])))
  }
}
