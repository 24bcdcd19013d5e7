import { JSON_ITEMS, type JsonOptions, openItems } from './json.ts'
import { LINES, type LinesOptions, openLines } from './lines.ts'
import type { ModeRecord, Open } from './mode.ts'
import { openRows, ROWS, type RowsOptions } from './rows.ts'

/** A value for every option of each mode. */
interface Options {
  readonly lines: Required<LinesOptions>
  readonly rows: Required<RowsOptions>
  readonly json: Required<JsonOptions>
}

/** The kinds of lists (specification 1.2). */
export type Mode = keyof Options

export const MODES: { readonly [M in Mode]: ModeRecord<M, Options[M]> } = { lines: LINES, rows: ROWS, json: JSON_ITEMS }

/** Separate, so that programs without pages need not contain it. */
export const OPEN: { readonly [M in Mode]: Open<Options[M]> } = { lines: openLines, rows: openRows, json: openItems }

/** What to do with a list: the mode and a value for each of its options. */
export type Question<M extends Mode = Mode> = {
  readonly [Each in M]: { readonly mode: Each; readonly options: Options[Each] }
}[M]

/** Whether this is the name of a mode. */
export function isMode(name: unknown): name is Mode {
  return typeof name === 'string' && Object.hasOwn(MODES, name)
}
