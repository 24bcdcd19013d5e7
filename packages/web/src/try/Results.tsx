import type { Mode } from '@keepfirst/protocol'
import { type ReactElement, useCallback, useState } from 'preact/compat'
import { Button, CopyButton, Empty, Notice, Tabs, Tag } from '../design/index.ts'
import type { Entry, ListName, Summary } from './messages.ts'
import { counted, NOUNS } from './question.ts'
import { save } from './save.ts'
import type { Judging } from './useJudge.ts'
import { VirtualList } from './VirtualList.tsx'
import type { Workshop } from './workshop.ts'

interface ResultsProps {
  readonly judging: Judging
  readonly mode: Mode
  /** The last result of this mode, shown while the next one is made. */
  readonly last: { readonly summary: Summary; readonly run: number } | undefined
}

/** What was kept and what was removed, and ways to take either away. */
export function Results({ judging, mode, last }: ResultsProps): ReactElement {
  const [list, setList] = useState<ListName>('kept')
  const { state, workshop } = judging
  const tab = (name: ListName, title: string) => ({
    name,
    title: (
      <>
        {title}{' '}
        <Tag tone={name === 'kept' ? 'good' : 'plain'}>{last ? last.summary[name].toLocaleString('en-US') : '–'}</Tag>
      </>
    ),
  })
  const usable = state.status === 'done' && workshop !== undefined
  return (
    <section className="try-pane" aria-label="Result" aria-busy={state.status === 'running'}>
      <Tabs
        label="Result"
        tabs={[tab('kept', 'Kept'), tab('removed', 'Removed')]}
        current={list}
        onChoose={setList}
        barClass="try-pane-head"
        aside={<Takeaway list={list} mode={mode} workshop={usable ? workshop : undefined} />}
      >
        <div className="try-result">
          {state.status === 'failed' && (
            <Notice tone="bad" live>
              {state.message}
            </Notice>
          )}
          {state.status === 'cancelled' && (
            <Notice live title="Cancelled">
              <Button small onClick={judging.again}>
                Run again
              </Button>
            </Notice>
          )}
          {state.status === 'running' && <Working stage={state.stage} onCancel={judging.cancel} />}
          {(state.status === 'done' || state.status === 'running') && last && workshop && (
            <Entries key={`${last.run} ${list}`} list={list} mode={mode} summary={last.summary} workshop={workshop} />
          )}
        </div>
      </Tabs>
    </section>
  )
}

function Working({ stage, onCancel }: { stage: 'reading' | 'comparing'; onCancel: () => void }): ReactElement {
  return (
    <div className="try-working" role="status">
      <progress aria-label="Working" />
      <span>{stage === 'reading' ? 'Reading' : 'Comparing'}</span>
      <Button small onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

const FILE_ENDINGS: Record<Mode, string> = { lines: 'txt', rows: 'csv', json: 'json' }

interface TakeawayProps {
  readonly list: ListName
  readonly mode: Mode
  readonly workshop: Workshop | undefined
}

function Takeaway({ list, mode, workshop }: TakeawayProps): ReactElement {
  const file = list === 'kept' ? 'result' : 'removed'
  const name = list === 'kept' ? `kept.${FILE_ENDINGS[mode]}` : 'removed.csv'
  const text = async (): Promise<string> => (await workshop?.file(file))?.text() ?? ''
  const download = async (): Promise<void> => {
    const blob = await workshop?.file(file)
    if (blob) save(blob, name)
  }
  return (
    <span className="row try-takeaway">
      <CopyButton text={text} what={list === 'kept' ? 'what was kept' : 'what was removed'} disabled={!workshop} />
      <Button look="quiet" small onClick={download} disabled={!workshop} aria-label={`Download ${name}`}>
        Download
      </Button>
    </span>
  )
}

interface EntriesProps {
  readonly list: ListName
  readonly mode: Mode
  readonly summary: Summary
  readonly workshop: Workshop
}

/** Cells beyond these are in the files; a screen has no room for them. */
const SHOWN_CELLS = 6

function Entries({ list, mode, summary, workshop }: EntriesProps): ReactElement {
  const load = useCallback((from: number, count: number) => workshop.entries(list, from, count), [workshop, list])
  const count = summary[list]
  if (count === 0) return <NothingHere list={list} mode={mode} total={summary.count} />
  return (
    <>
      {(summary.columns.length > 0 || list === 'removed') && (
        <div className="entry entry-head" aria-hidden="true">
          <span />
          <Cells
            cells={summary.columns.length > 0 ? summary.columns : [`Removed, and the ${NOUNS[mode][0]} it equals`]}
          />
        </div>
      )}
      <VirtualList
        label={`${list === 'kept' ? 'Kept' : 'Removed'}: ${counted(count, mode)}`}
        count={count}
        entryRem={list === 'kept' ? 2 : 3.5}
        load={load}
        show={(entry) => <EntryLine entry={entry} mode={mode} />}
      />
    </>
  )
}

function NothingHere({ list, mode, total }: { list: ListName; mode: Mode; total: number }): ReactElement {
  if (list === 'kept') return <Empty title="Nothing is left">The list has no {NOUNS[mode][1]}.</Empty>
  return (
    <Empty title="Nothing was removed">
      {total === 0 ? 'The list is empty.' : `No two ${NOUNS[mode][1]} are alike.`}
    </Empty>
  )
}

function EntryLine({ entry, mode }: { entry: Entry; mode: Mode }): ReactElement {
  const { number, cells, survivor } = entry
  return (
    <div className={survivor ? 'entry entry-removed' : 'entry'}>
      <span className="entry-number">{number.toLocaleString('en-US')}</span>
      <Cells cells={cells} />
      {survivor && (
        <>
          <span className="entry-number entry-because">
            ↳ <span className="visually-hidden">same as {NOUNS[mode][0]} </span>
            {survivor.number.toLocaleString('en-US')}
          </span>
          <Cells cells={survivor.cells} />
        </>
      )}
    </div>
  )
}

function Cells({ cells }: { cells: readonly string[] }): ReactElement {
  const shown = cells.slice(0, SHOWN_CELLS)
  const more = cells.length - shown.length
  return (
    <span className="cells">
      {shown.map((cell, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
        <span key={column} className="cell">
          {cell === '' ? '\u00a0' : cell}
        </span>
      ))}
      {more > 0 && <span className="cell muted">+{more}</span>}
    </span>
  )
}
