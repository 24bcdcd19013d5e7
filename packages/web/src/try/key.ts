import { counted, grouped, type Question, wholeEntry } from '@keepfirst/protocol'
import type { Summary } from './messages.ts'
import { nounOf, nounsOf } from './question.ts'

/** The part of an entry that is compared, and the option that names it. */
export type Key =
  | { readonly option: 'keyColumns'; readonly columns: readonly number[] }
  | { readonly option: 'key'; readonly path: string }

/** What entries are compared by; undefined if they are compared whole. */
export function keyOf({ options }: Question): Key | undefined {
  if ('keyColumns' in options && options.keyColumns.length > 0)
    return { option: 'keyColumns', columns: options.keyColumns }
  if ('key' in options && options.key !== '') return { option: 'key', path: options.key }
  return undefined
}

/** The warning about the chosen key, if there is one. */
export function warningOf(question: Question, { count, withKey, emptyKeys, columns }: Summary): string | undefined {
  const key = keyOf(question)
  if (key === undefined || count < 2) return undefined
  const label = labelOf(key, columns)
  if (withKey === 0) return `No ${nounOf(question.mode)} has ${label}: all but the first were removed.`
  const [without, has] =
    key.option === 'key' ? [count - withKey, `have no ${label}`] : [emptyKeys, `have nothing in ${label}`]
  if (without < 2) return undefined
  return `${grouped(without)} of ${counted(count, question.mode)} ${has}. They count as equal: only the first of these ${nounsOf(question.mode)} is kept.`
}

function labelOf(key: Key, columns: readonly string[]): string {
  if (key.option === 'key') return `“${key.path}”`
  return key.columns.map((column) => `“${columns[column] || `Column ${column}`}”`).join(', ')
}

/** A longer list would not make choosing easier. */
const SHOWN_CHOICES = 24

/** A key to offer instead. */
interface KeyChoice {
  readonly title: string
  readonly option: Key['option']
  readonly value: string | readonly number[]
}

/** The keys that exist, if no entry has the chosen one. */
export function choicesOf(question: Question, summary: Summary): KeyChoice[] {
  const key = keyOf(question)
  if (key === undefined || summary.withKey > 0) return []
  const choice = (title: string, value: KeyChoice['value']) => ({ title, option: key.option, value })
  const whole = wholeEntry(question.mode)
  if (key.option === 'key')
    return [choice(whole, ''), ...summary.paths.slice(0, SHOWN_CHOICES).map((path) => choice(path, path))]
  const columns = summary.columns.slice(0, SHOWN_CHOICES)
  return [choice(whole, []), ...columns.map((title, column) => choice(title || `Column ${column}`, [column]))]
}
