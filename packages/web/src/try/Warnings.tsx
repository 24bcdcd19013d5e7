import type { Question } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { Notice } from '../design/index.ts'
import { choicesOf, warningOf } from './key.ts'
import type { Summary } from './messages.ts'

const NOT_UTF8 =
  'This file is not UTF-8: letters beyond ASCII show as �. They are compared byte by byte and downloaded unchanged, but can’t be copied as text.'

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
  const choices = choicesOf(question, summary)
  return (
    <Notice tone="warn" live>
      <p>{warning}</p>
      {choices.length > 0 && (
        <div className="chips try-choices">
          <span>Compare by</span>
          {choices.map(({ title, option, value }) => (
            <button key={title} type="button" className="chip" onClick={() => onChange(option, value)}>
              {title}
            </button>
          ))}
        </div>
      )}
    </Notice>
  )
}
