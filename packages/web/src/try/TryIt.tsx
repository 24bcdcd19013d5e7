import { completeOptions, counted, grouped, MODES, type Mode, modeSpec, withNoun } from '@keepfirst/protocol'
import { type ReactElement, useMemo, useState } from 'preact/compat'
import { classes, Notice, Tabs } from '../design/index.ts'
import { CodeExamples } from './CodeExamples.tsx'
import type { Summary, Task } from './messages.ts'
import { Offer } from './Offer.tsx'
import { Options } from './Options.tsx'
import { type AllOptions, DEFAULTS, questionOf, type Separator } from './question.ts'
import { Results } from './Results.tsx'
import type { Reading } from './recognise.ts'
import { SourcePane } from './SourcePane.tsx'
import { isSample, SAMPLES } from './samples.ts'
import { type Source, sourceOfText } from './source.ts'
import { entriesOf, type Result, type RunState, useDedupe } from './useDedupe.ts'

/** Rows with more columns than this get the full width of the page. */
const WIDE_COLUMNS = 4

/** Removes duplicates in the page itself; the list never leaves it. */
export function TryIt(): ReactElement {
  const [mode, setMode] = useState<Mode>('lines')
  const [options, setOptions] = useState<AllOptions>(DEFAULTS)
  const [separator, setSeparator] = useState<Separator>(',')
  const [source, setSource] = useState<Source>(() => sourceOfText(SAMPLES.lines))
  const task = useMemo(() => taskOf(source, mode, options, separator), [source, mode, options, separator])
  const dedupe = useDedupe(task)
  const last = useLast(dedupe.state, mode)
  const change = (name: string, value: unknown): void =>
    setOptions({ ...options, [mode]: completeOptions(mode, { ...options[mode], [name]: value }) })
  // Chosen columns belong to one list read in one way; another list has other columns.
  const forgetColumns = (): void => setOptions({ ...options, rows: { ...options.rows, keyColumns: [] } })

  const choose = (next: Mode): void => {
    setMode(next)
    if (source.text !== undefined && isSample(source.text)) setSource(sourceOfText(SAMPLES[next]))
  }
  const take = (next: Source): void => {
    setSource(next)
    if (next.name !== undefined) forgetColumns()
  }
  const readAs = (reading: Reading): void => {
    setMode(reading.mode)
    setSeparator(reading.separator)
    forgetColumns()
  }

  return (
    <div className="panel try">
      <Tabs
        label="Kind of list"
        tabs={MODES.map((name) => ({ name, title: modeSpec(name).title }))}
        current={mode}
        onChoose={choose}
        barClass="try-head"
        aside={<span className="try-promise">Runs in this page. Nothing is uploaded.</span>}
      >
        <Options
          question={task.question}
          columns={last?.summary.columns ?? []}
          areColumnsCurrent={last !== undefined && entriesOf(last.task) === entriesOf(task)}
          separator={separator}
          onChange={change}
          onSeparate={(next) => readAs({ mode, separator: next })}
        />
        {source.others > 0 && (
          <div className="try-offer">
            <Notice tone="warn" live>
              Only <bdi>{source.name}</bdi> was opened: this page takes one file at a time, the command line takes
              several.
            </Notice>
          </div>
        )}
        <Offer source={source} reading={{ mode, separator }} onTake={readAs} />
        <div className={classes('try-panes', (last?.summary.table.length ?? 0) > WIDE_COLUMNS && 'try-panes-wide')}>
          <SourcePane source={source} onChange={take} onClear={() => setSource(sourceOfText(''))} />
          <Results dedupe={dedupe} question={task.question} last={last} name={source.name} onChange={change} />
        </div>
        <p className="try-status" role="status">
          {dedupe.state.status === 'done' ? statusLine(dedupe.state.result.summary, task) : '\u00a0'}
        </p>
        <CodeExamples
          task={task}
          name={source.name}
          summary={last?.summary}
          isCurrent={dedupe.state.status === 'done'}
          client={dedupe.client}
        />
      </Tabs>
    </div>
  )
}

function taskOf({ id, name, text, blob }: Source, mode: Mode, options: AllOptions, separator: Separator): Task {
  const form = name === undefined ? 'api' : 'file'
  return { listId: id, content: blob ?? text ?? '', form, question: questionOf(mode, options), separator }
}

/** The latest result in this mode, so that the page does not change while the next one is computed. */
function useLast(state: RunState, mode: Mode): Result | undefined {
  const [last, setLast] = useState<Result & { mode: Mode }>()
  if (state.status === 'done' && last?.version !== state.result.version) setLast({ ...state.result, mode })
  return last?.mode === mode ? last : undefined
}

function statusLine(summary: Summary, { question, content, form }: Task): string {
  const { count, kept, removed, restored, isJsonLines, durationMs } = summary
  const { mode } = question
  const discarded = count - kept - removed
  const parts = [
    `${counted(count, mode)}${isJsonLines ? ', one per line' : ''}`,
    `${grouped(kept)} kept`,
    `${grouped(removed)} removed`,
    ...(restored > 0 ? [`${grouped(restored)} restored`] : []),
    ...(discarded > 0 ? [`${withNoun(discarded, 'empty line')} dropped`] : []),
    durationMs < 1_000 ? `${Math.max(durationMs, 0.1).toFixed(1)} ms` : `${(durationMs / 1_000).toFixed(1)} s`,
  ]
  const isOneMore = mode === 'lines' && form === 'api' && typeof content === 'string' && /.\n$/.test(content)
  const note = isOneMore
    ? ' The final line break adds an empty line, as it does over HTTP; on the command line it just ends the last line.'
    : ''
  return `${parts.join(' · ')}${isOneMore ? '.' : ''}${note}`
}
