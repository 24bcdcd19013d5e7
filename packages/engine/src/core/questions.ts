/** How lines are compared (specification 2.2). */
export interface LinesOptions {
  trim?: boolean
  ignoreCase?: boolean
  dropEmpty?: boolean
}

/** How rows are compared; `caseSensitive` has no effect with `fuzzy`, nor `threshold` without it. */
export interface RowsOptions {
  keyColumns?: readonly number[]
  hasHeader?: boolean
  caseSensitive?: boolean
  fuzzy?: boolean
  threshold?: number
}

/** How items are compared: `key` is a dot path, empty for the whole item. */
export interface JsonOptions {
  key?: string
}

/** What to do with a list: the mode and a value for each of its options. */
export type Question =
  | { readonly mode: 'lines'; readonly options: Required<LinesOptions> }
  | { readonly mode: 'rows'; readonly options: Required<RowsOptions> }
  | { readonly mode: 'json'; readonly options: Required<JsonOptions> }
