import type { JsonOptions, LinesOptions, RowsOptions } from '../core/questions.ts'

/** The defaults in the specification (2.2). */
export const LINES: Required<LinesOptions> = { trim: false, ignoreCase: false, dropEmpty: false }
export const ROWS: Required<RowsOptions> = {
  keyColumns: [],
  hasHeader: true,
  caseSensitive: true,
  fuzzy: false,
  threshold: 0.9,
}
export const JSON_ITEMS: Required<JsonOptions> = { key: '' }
