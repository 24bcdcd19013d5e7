import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from './server.ts'

/** A table saved by a benchmark (`bench/support/table.mjs`). */
export interface Figures {
  /** Processor, cores, Node.js version and date. */
  readonly machine: string
  readonly titles: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/**
 * A table from a benchmark's last complete run.
 * @param name its first column title
 * @throws Error when the benchmark has not saved this table
 */
export function figuresOf(bench: string, name: string): Figures {
  const tables: Readonly<Record<string, Figures>> = JSON.parse(
    readFileSync(join(REPOSITORY, 'bench/figures', `${bench}.json`), 'utf8'),
  )
  const found = tables[name]
  if (found === undefined) throw new Error(`the benchmark ${bench} has not saved a table "${name}"`)
  return found
}

/**
 * One figure: the column with this title, in the first row that starts with these cells.
 * @throws Error when there is no such row or column
 */
export function figureOf(bench: string, name: string, cells: readonly string[], title: string): string {
  const { titles, rows } = figuresOf(bench, name)
  const row = rows.find((candidate) => cells.every((cell, column) => candidate[column] === cell))
  const figure = row?.[titles.indexOf(title)]
  if (figure === undefined) throw new Error(`no "${title}" of ${cells.join(', ')} in the table "${name}" of ${bench}`)
  return figure
}
