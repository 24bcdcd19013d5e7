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
} from '@keepfirst/engine'
import { unreachable } from '@keepfirst/protocol'
import type { Task } from './messages.ts'
import type { Question, Separator } from './question.ts'

/*
 * The one place where the page meets the engine.
 */

/** The list can't be read as what it is said to be; the message is for the reader. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** A list that was judged. Entries are counted from 0. */
export interface Judged {
  readonly count: number
  readonly kept: number
  readonly removed: number
  /** Of each entry itself when it was kept, an earlier one when it is its duplicate, -1 when it takes no part. */
  readonly survivorOf: Int32Array
  readonly header: readonly string[]
  readonly columnCount: number
  readonly withKey: number
  readonly emptyKeys: number
  readonly isJsonLines: boolean
  /** Entries as they are shown: rows as their cells, others as one text. */
  show(entries: readonly number[]): Promise<string[][]>
  similarity(entry: number): number
  /** What stays, as `survivorOf` stands now, as a file. */
  result(): Promise<Blob>
}

/** Reads and judges a list. Loads the fuzzy matcher only when it is asked for. @throws Unreadable */
export async function judge(text: string, task: Task, onRead: () => void): Promise<Judged> {
  const { question } = task
  switch (question.mode) {
    case 'lines':
      return judgedLines(text, question.options, task, onRead)
    case 'rows':
      return judgedRows(text, question.options, task, onRead)
    case 'json':
      return judgedItems(text, question.options, task, onRead)
    default:
      return unreachable(question)
  }
}

type OptionsOf<M extends Question['mode']> = Extract<Question, { mode: M }>['options']

function judgedLines(text: string, options: OptionsOf<'lines'>, { form }: Task, onRead: () => void): Judged {
  const ending = form === 'file' ? (/(?:\r\n|\n|\r)$/.exec(text)?.[0] ?? '') : ''
  const lines = readLines(text.slice(0, text.length - ending.length), options)
  onRead()
  const verdicts = judgeLines(lines, options)
  return {
    count: text === ending && ending === '' && form === 'file' ? 0 : lines.count,
    ...verdicts,
    header: [],
    columnCount: 0,
    withKey: lines.count,
    emptyKeys: lines.lines.filter((line) => line === '').length,
    isJsonLines: false,
    show: async (entries) => entries.map((line) => [lines.lines[line] ?? '']),
    similarity: () => 1,
    result: async () => new Blob([writeLines(lines, verdicts).join('\n'), ending]),
  }
}

async function judgedRows(
  text: string,
  options: OptionsOf<'rows'>,
  { separator }: Task,
  onRead: () => void,
): Promise<Judged> {
  const swap = swapper(separator)
  const rows = readRows(swap(text), options)
  onRead()
  const verdicts = options.fuzzy ? await judgeAlike(rows, options) : judgeRows(rows, options)
  const cells = (row: number): string[] => cellsOf(rows, row).map(swap)
  const header = rows.headers === 1 ? cells(-1) : []
  const keys = Array.from({ length: rows.count }, (_, row) => keyCells(cells(row), options.keyColumns))
  const keyTexts = options.fuzzy ? fuzzyKeys(rows, options.keyColumns) : []
  return {
    count: rows.count,
    ...verdicts,
    header,
    columnCount: rows.headers + rows.count === 0 ? 0 : cells(-rows.headers).length,
    withKey: keys.filter((key) => key.length > 0).length,
    emptyKeys: keys.filter((key) => key.every((cell) => cell === '')).length,
    isJsonLines: false,
    show: async (entries) => entries.map(cells),
    similarity: (row) => similarityOf(keyTexts[row] ?? '', keyTexts[verdicts.survivorOf[row] ?? row] ?? ''),
    result: async () => {
      const kept = [...verdicts.survivorOf.keys()].filter((row) => verdicts.survivorOf[row] === row).map(cells)
      return new Blob([[...(rows.headers === 1 ? [header] : []), ...kept].map(csvRow).join('\n')])
    },
  }
}

function keyCells(cells: readonly string[], keyColumns: readonly number[]): readonly string[] {
  return keyColumns.length === 0 ? cells : cells.filter((_, column) => keyColumns.includes(column))
}

async function judgeAlike(rows: Rows, { keyColumns, threshold }: OptionsOf<'rows'>): Promise<Verdicts> {
  const { judgeFuzzy } = await import('@keepfirst/engine/fuzzy')
  return judgeFuzzy(fuzzyKeys(rows, keyColumns), threshold)
}

/** Turns the separator into a comma and back: the grammar knows no difference between them. */
function swapper(separator: Separator): (text: string) => string {
  if (separator === ',') return (text) => text
  const either = new RegExp(`[,${separator}]`, 'g')
  return (text) => text.replace(either, (found) => (found === ',' ? separator : ','))
}

export function csvRow(cells: readonly string[]): string {
  return cells.map((cell) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')
}

function similarityOf(a: string, b: string): number {
  const key = (text: string): string[] => [
    ...text
      .normalize('NFC')
      .toLowerCase()
      .replace(/\p{P}+/gu, '')
      .trim()
      .split(/\s+/u)
      .sort()
      .join(' '),
  ]
  const [left, right] = [key(a), key(b)]
  let above = Array.from({ length: right.length + 1 }, (_, at) => at)
  left.forEach((letter, row) => {
    const line = [row + 1]
    right.forEach((other, at) => {
      line.push(Math.min((above[at] ?? 0) + (letter === other ? 0 : 1), (above[at + 1] ?? 0) + 1, (line[at] ?? 0) + 1))
    })
    above = line
  })
  const longest = Math.max(left.length, right.length)
  return longest === 0 ? 1 : (longest - (above.at(-1) ?? 0)) / longest
}

function judgedItems(text: string, options: OptionsOf<'json'>, { form }: Task, onRead: () => void): Judged {
  const whole = readItems(text)
  const inLines = whole ? undefined : jsonLines(text)
  const items = whole ?? (inLines && readItems(`[${inLines.join(',')}]`))
  if (!items) throw new Unreadable(whyNoItems(text))
  onRead()
  const verdicts = judgeItems(items, options)
  const show = (item: number): string => textOf(itemValue(items, item))
  const keys = Array.from({ length: items.count }, (_, item) => has(show(item), options.key))
  return {
    count: items.count,
    ...verdicts,
    header: [],
    columnCount: 0,
    withKey: keys.filter(Boolean).length,
    emptyKeys: 0,
    isJsonLines: inLines !== undefined,
    show: async (entries) => entries.map((item) => [show(item)]),
    similarity: () => 1,
    result: async () => {
      if (!inLines || form === 'api') return new Blob([writeItems(items, verdicts)])
      return new Blob(inLines.filter((_, item) => verdicts.survivorOf[item] === item).map((line) => `${line}\n`))
    },
  }
}

function jsonLines(text: string): string[] | undefined {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '')
  const isJson = (line: string): boolean => {
    try {
      JSON.parse(line)
      return true
    } catch {
      return false
    }
  }
  return lines.length > 0 && lines.every(isJson) && (lines.length > 1 || !/^\s*[[{]/.test(text)) ? lines : undefined
}

function has(item: string, key: string): boolean {
  let value: unknown = JSON.parse(item)
  for (const name of key === '' ? [] : key.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name) || name === 'length') return false
    value = Object.entries(value).find(([other]) => other === name)?.[1]
  }
  return true
}

/** The platform's own parser knows where a text stops being JSON. */
function whyNoItems(text: string): string {
  if (text.trim() === '') return 'There is nothing here yet. JSON mode takes one array, or one value a line.'
  try {
    JSON.parse(text)
    return 'This is JSON, but neither an array nor one value a line. JSON mode takes one of the two.'
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : 'it can not be read'}.`
  }
}
