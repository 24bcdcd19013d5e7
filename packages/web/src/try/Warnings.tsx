import { counted, grouped, wholeEntry } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { Notice } from '../design/index.ts'
import type { Summary } from './messages.ts'
import { type Key, keyOf, nounOf, nounsOf, type Question } from './question.ts'

const NOT_UTF8 =
  'This file is not UTF-8: letters beyond ASCII show as �. They are compared byte by byte and saved unchanged.'

interface WarningsProps {
  readonly question: Question
  readonly summary: Summary
  readonly onChange: (name: string, value: unknown) => void
}

/** The API treats a key that no entry has like any other; the page warns about it and offers the keys that exist. */
export function Warnings({ question, summary, onChange }: WarningsProps): ReactElement | null {
  const warning = warningOf(question, summary)
  if (summary.request === 'not UTF-8') return <Notice tone="warn">{NOT_UTF8}</Notice>
  if (!warning) return null
  const choices = choicesOf(question, summary, onChange)
  return (
    <Notice tone="warn" live>
      <p>{warning}</p>
      {choices.length > 0 && (
        <div className="chips try-choices">
          <span>Compare by</span>
          {choices.map(({ title, choose }) => (
            <button key={title} type="button" className="chip" onClick={choose}>
              {title}
            </button>
          ))}
        </div>
      )}
    </Notice>
  )
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

interface KeyChoice {
  readonly title: string
  readonly choose: () => void
}

function choicesOf(question: Question, summary: Summary, onChange: WarningsProps['onChange']): KeyChoice[] {
  const key = keyOf(question)
  if (key === undefined || summary.withKey > 0) return []
  const choice = (title: string, value: unknown) => ({ title, choose: () => onChange(key.option, value) })
  const whole = wholeEntry(question.mode)
  if (key.option === 'key')
    return [choice(whole, ''), ...summary.paths.slice(0, SHOWN_CHOICES).map((path) => choice(path, path))]
  const columns = summary.columns.slice(0, SHOWN_CHOICES)
  return [choice(whole, []), ...columns.map((title, column) => choice(title || `Column ${column}`, [column]))]
}
