import { type RawBuilder, sql } from 'kysely'

/** Rows per page: one statement reads them in milliseconds. */
export const PAGE = 1_000

/**
 * A list in pages, each read on demand.
 * @param readAfter returns the rows after this one, or the first ones: `PAGE` of them if there are that many
 */
export async function* pagesOf<Row>(
  readAfter: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let page: readonly Row[] = []
  do {
    page = await readAfter(page.at(-1))
    if (page.length > 0) yield page
  } while (page.length === PAGE)
}

/**
 * Selects what was created after this row, or everything. A single lower bound in addition to the exact condition, so
 * that an index can be read from there.
 */
export function madeAfter(
  table: 'accounts' | 'api_keys',
  last: { readonly createdAt: number; readonly id: string } | undefined,
): RawBuilder<boolean> {
  const [at, id] = [sql.ref(`${table}.created_at`), sql.ref(`${table}.id`)]
  if (last === undefined) return sql<boolean>`true`
  return sql<boolean>`${at} >= ${last.createdAt} and (${at} > ${last.createdAt} or ${id} > ${last.id})`
}
