import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from './server.ts'

/** A table as a benchmark kept it (`bench/support/table.mjs`). */
export interface Figures {
  /** Processor, cores, Node.js and day. */
  readonly machine: string
  readonly titles: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/**
 * A table of a benchmark's last whole run.
 * @param name its first title
 * @throws Error when the benchmark has kept no such table
 */
export function figuresOf(bench: string, name: string): Figures {
  const tables: Readonly<Record<string, Figures>> = JSON.parse(
    readFileSync(join(REPOSITORY, 'bench/figures', `${bench}.json`), 'utf8'),
  )
  const found = tables[name]
  if (found === undefined) throw new Error(`the benchmark ${bench} has kept no table "${name}"`)
  return found
}

/**
 * One figure: of the first row that begins with these cells, in the column of that title.
 * @throws Error when there is no such row or column
 */
export function figureOf(bench: string, name: string, cells: readonly string[], title: string): string {
  const { titles, rows } = figuresOf(bench, name)
  const row = rows.find((candidate) => cells.every((cell, column) => candidate[column] === cell))
  const figure = row?.[titles.indexOf(title)]
  if (figure === undefined) throw new Error(`no "${title}" of ${cells.join(', ')} in the table "${name}" of ${bench}`)
  return figure
}
