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
