import { MODES, type Mode } from '@keepfirst/protocol'
import { type ReactElement, useMemo, useState } from 'preact/compat'
import { Tabs } from '../design/index.ts'
import { Command } from './Command.tsx'
import type { Summary } from './messages.ts'
import { Options } from './Options.tsx'
import { type AllOptions, counted, DEFAULTS, questionOf } from './question.ts'
import { Results } from './Results.tsx'
import { type Source, SourcePane } from './Source.tsx'
import { isSample, SAMPLES } from './samples.ts'
import { useJudge } from './useJudge.ts'

const TITLES: Record<Mode, string> = { lines: 'Lines', rows: 'CSV rows', json: 'JSON' }

/** A mode as a file's name tells it. */
function modeOf(name: string | undefined): Mode | undefined {
  if (name === undefined) return undefined
  if (/\.csv$/i.test(name)) return 'rows'
  return /\.json$/i.test(name) ? 'json' : 'lines'
}

/** Removes duplicates right here: the list never leaves the page. */
export function TryIt(): ReactElement {
  const [mode, setMode] = useState<Mode>('lines')
  const [options, setOptions] = useState<AllOptions>({ ...DEFAULTS, lines: { ...DEFAULTS.lines, ignoreCase: true } })
  const [source, setSource] = useState<Source>({ name: undefined, content: SAMPLES.lines })
  const question = useMemo(() => questionOf(mode, options), [mode, options])
  const judging = useJudge(source.content, question)
  const last = useLast(judging.state, mode)

  const choose = (next: Mode): void => {
    setMode(next)
    if (typeof source.content === 'string' && isSample(source.content))
      setSource({ name: undefined, content: SAMPLES[next] })
  }
  const take = (next: Source): void => {
    setSource(next)
    const told = modeOf(next.name)
    if (told) setMode(told)
    // Columns are the file's: another file has others.
    if (next.name !== undefined) setOptions({ ...options, rows: { ...options.rows, keyColumns: [] } })
  }

  return (
    <div className="panel try">
      <Tabs
        label="What your list is made of"
        tabs={MODES.map((name) => ({ name, title: TITLES[name] }))}
        current={mode}
        onChoose={choose}
        barClass="try-head"
        aside={<span className="try-promise">Runs in this page. Nothing is uploaded.</span>}
      >
        <Options
          question={question}
          columns={last?.summary.columns ?? []}
          onChange={(changed) => setOptions({ ...options, ...changed })}
        />
        <div className="try-panes">
          <SourcePane source={source} onChange={take} onClear={() => setSource({ name: undefined, content: '' })} />
          <Results judging={judging} mode={mode} last={last} />
        </div>
        <p className="try-status" role="status">
          {judging.state.status === 'done' ? inWords(judging.state.summary, mode) : '\u00a0'}
        </p>
        <Command
          source={source}
          question={question}
          summary={judging.state.status === 'done' ? judging.state.summary : undefined}
          workshop={judging.workshop}
        />
      </Tabs>
    </div>
  )
}

interface Last {
  readonly summary: Summary
  readonly run: number
}

/** The latest result of this mode, so that the page stays as it is while the next one is made. */
function useLast(state: ReturnType<typeof useJudge>['state'], mode: Mode): Last | undefined {
  const [last, setLast] = useState<Last & { mode: Mode }>()
  if (state.status === 'done' && last?.run !== state.run) setLast({ summary: state.summary, run: state.run, mode })
  return last?.mode === mode ? last : undefined
}

function inWords({ count, kept, removed, durationMs }: Summary, mode: Mode): string {
  const discarded = count - kept - removed
  const parts = [
    `${counted(count, mode)} in`,
    `${kept.toLocaleString('en-US')} kept`,
    `${removed.toLocaleString('en-US')} removed`,
    ...(discarded > 0 ? [`${discarded.toLocaleString('en-US')} empty left out`] : []),
    durationMs < 1_000 ? `${Math.max(durationMs, 0.1).toFixed(1)} ms` : `${(durationMs / 1_000).toFixed(1)} s`,
  ]
  return parts.join(' · ')
}
