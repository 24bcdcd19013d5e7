import {
  cellsOf,
  fuzzyKeys,
  itemValue,
  judgeItems,
  judgeLines,
  judgeRows,
  type Rows,
  readItems,
  readLines,
  readRows,
  textOf,
  type Verdicts,
  writeItems,
  writeLines,
  writeRows,
} from '@keepfirst/engine'
import { unreachable } from '@keepfirst/protocol'
import type { Question } from './question.ts'

/** The list can't be read as what it is said to be; the message is for the reader. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** A list that was judged: what became of each entry, and how entries are shown and written. */
export interface JudgedList {
  readonly count: number
  readonly verdicts: Verdicts
  /** Titles of the columns; empty where entries have no cells. */
  readonly columns: readonly string[]
  /** An entry as it is shown: its cells, or the one text that it is. */
  show(entry: number): readonly string[]
  /** The survivors as a file. */
  write(): string
}

/** Reads and judges a list. Loads the fuzzy matcher only when it is asked for. Throws `Unreadable`. */
export async function judge(text: string, question: Question, onRead: () => void): Promise<JudgedList> {
  switch (question.mode) {
    case 'lines':
      return judgedLines(text, question.options, onRead)
    case 'rows':
      return judgedRows(text, question.options, onRead)
    case 'json':
      return judgedItems(text, question.options, onRead)
    default:
      return unreachable(question)
  }
}

type OptionsOf<M extends Question['mode']> = Extract<Question, { mode: M }>['options']

function judgedLines(text: string, options: OptionsOf<'lines'>, onRead: () => void): JudgedList {
  const lines = readLines(text, options)
  onRead()
  const verdicts = judgeLines(lines, options)
  return {
    count: lines.count,
    verdicts,
    columns: [],
    show: (line) => [lines.lines[line] ?? ''],
    write: () => writeLines(lines, verdicts).join('\n'),
  }
}

async function judgedRows(text: string, options: OptionsOf<'rows'>, onRead: () => void): Promise<JudgedList> {
  const rows = readRows(text, options)
  onRead()
  const verdicts = options.fuzzy ? await judgeAlike(rows, options) : judgeRows(rows, options)
  return {
    count: rows.count,
    verdicts,
    columns: columnTitles(rows),
    show: (row) => cellsOf(rows, row),
    write: () => writeRows(rows, verdicts),
  }
}

async function judgeAlike(rows: Rows, { keyColumns, threshold }: OptionsOf<'rows'>): Promise<Verdicts> {
  const { judgeFuzzy } = await import('@keepfirst/engine/fuzzy')
  return judgeFuzzy(fuzzyKeys(rows, keyColumns), threshold)
}

/** The header's cells, or numbers as the API counts columns. */
function columnTitles(rows: Rows): string[] {
  if (rows.headers === 1) return cellsOf(rows, -1)
  return rows.count === 0 ? [] : cellsOf(rows, 0).map((_, column) => `Column ${column}`)
}

function judgedItems(text: string, options: OptionsOf<'json'>, onRead: () => void): JudgedList {
  const items = readItems(text)
  if (!items) throw new Unreadable(whyNoItems(text))
  onRead()
  const verdicts = judgeItems(items, options)
  return {
    count: items.count,
    verdicts,
    columns: [],
    show: (item) => [textOf(itemValue(items, item))],
    write: () => writeItems(items, verdicts),
  }
}

/** The platform's own parser knows where a text stops being JSON. */
function whyNoItems(text: string): string {
  if (text.trim() === '') return 'There is nothing here yet. JSON mode takes one array.'
  try {
    JSON.parse(text)
    return 'This is JSON, but no array. JSON mode takes one array of items.'
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : 'it can not be read'}.`
  }
}
