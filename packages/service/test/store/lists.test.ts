import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { accountsList } from '../../src/operator/accounts.ts'
import type { OperatorContext } from '../../src/operator/context.ts'
import { keysList } from '../../src/operator/keys.ts'
import { usage } from '../../src/operator/usage.ts'
import type { OpenDatabase } from '../../src/store/open.ts'
import { PAGE, pagesOf } from '../../src/store/pages.ts'
import { describeBothStores, NOON } from './support.ts'

const ACCOUNTS = 2 * PAGE + 1

/** Creates accounts with one key each, many of them with the same creation time. */
async function fill({ kysely }: OpenDatabase): Promise<void> {
  const numbers = sql`with recursive n (i) as (select 0 union all select i + 1 from n where i + 1 < ${sql.lit(ACCOUNTS)})`
  await sql`insert into accounts (id, email, plan, created_at) ${numbers}
    select 'a' || i, 'a' || i || '@example.org', 'free', ${sql.lit(NOON)} + i / 700 from n`.execute(kysely)
  await sql`insert into api_keys (id, account_id, name, prefix, hash, created_at) ${numbers}
    select 'k' || i, 'a' || i, 'k', 'kf_live_0123', 'h' || i, ${sql.lit(NOON)} + i / 700 from n`.execute(kysely)
}

const COMMANDS: readonly {
  readonly name: string
  readonly column: string
  readonly list: (context: OperatorContext, json: boolean) => Promise<void>
}[] = [
  { name: 'accounts list', column: 'email', list: (context, json) => accountsList(context, { json }) },
  { name: 'keys list', column: 'account', list: (context, json) => keysList(context, { json }) },
  { name: 'usage', column: 'account', list: (context, json) => usage(context, { json }) },
]

describeBothStores('lists that are longer than a page', (databases) => {
  test.each(COMMANDS)('$name prints each account once, page by page', async ({ column, list }) => {
    const database = await databases.open(await databases.create())
    await fill(database)
    const printed: string[] = []
    const print = (text: string): void => void printed.push(text)
    const settings = { baseUrl: '', tokenPrefix: 'kf', now: () => NOON, randomBytes: () => new Uint8Array() }
    const context = { ...database, ...settings, print }
    const addresses = Array.from({ length: ACCOUNTS }, (_, i) => `a${i}@example.org`).sort()

    await list(context, true)
    const rows: { [member: string]: unknown }[] = JSON.parse(printed.join('\n'))
    expect(rows.map((row) => row[column]).sort()).toEqual(addresses)
    expect(printed).toHaveLength(4)

    printed.length = 0
    await list(context, false)
    const lines = printed.join('\n').split('\n')
    expect(lines).toHaveLength(1 + ACCOUNTS)
    expect(lines.flatMap((line) => /\S+@example\.org/.exec(line)?.[0] ?? []).sort()).toEqual(addresses)
  })
})

test('a list without entries has no pages', async () => {
  const pages: unknown[] = []
  for await (const page of pagesOf(async () => [])) pages.push(page)
  expect(pages).toEqual([])
})
