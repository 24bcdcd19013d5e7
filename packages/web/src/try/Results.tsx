import { grouped, type Mode, modeSpec } from '@keepfirst/protocol'
import { type ReactElement, useState } from 'preact/compat'
import { Button, CopyButton, Notice, Tabs, Tag } from '../design/index.ts'
import { Entries } from './Entries.tsx'
import { exactText } from './exactText.ts'
import type { ListName } from './messages.ts'
import type { Question } from './question.ts'
import { saveFrom } from './save.ts'
import type { Dedupe, Result } from './useDedupe.ts'
import { Warnings } from './Warnings.tsx'
import type { WorkerClient } from './workerClient.ts'

interface ResultsProps {
  readonly dedupe: Dedupe
  readonly question: Question
  /** The last result in this mode, shown while the next one is computed. */
  readonly last: Result | undefined
  /** Name of the file that the list came from. */
  readonly name: string | undefined
  readonly onChange: (name: string, value: unknown) => void
}

/** What was kept and what was removed, with buttons to copy and download. */
export function Results({ dedupe, question, last, name, onChange }: ResultsProps): ReactElement {
  const [list, setList] = useState<ListName>('kept')
  const { state, client } = dedupe
  const { mode } = question
  const tab = (each: ListName, title: string) => ({
    name: each,
    title: (
      <>
        {title} <Tag tone={each === 'kept' ? 'good' : 'plain'}>{last ? grouped(last.summary[each]) : '–'}</Tag>
      </>
    ),
  })
  const files = fileNames(mode, name, last?.summary.isJsonLines ?? false)
  return (
    <section className="try-pane" aria-label="Result" aria-busy={state.status === 'running'}>
      <Tabs
        label="Result"
        tabs={[tab('kept', 'Kept'), tab('removed', 'Removed')]}
        current={list}
        onChoose={setList}
        barClass="try-pane-head"
        aside={
          <ResultActions list={list} fileName={files[list]} client={state.status === 'done' ? client : undefined} />
        }
      >
        <div className="try-result">
          {state.status === 'failed' && (
            <Notice tone="bad" live>
              {state.message}
            </Notice>
          )}
          {state.status === 'cancelled' && (
            <Notice live title="Cancelled">
              <Button small onClick={dedupe.again}>
                Run again
              </Button>
            </Notice>
          )}
          {state.status === 'running' && <Working share={state.share} onCancel={dedupe.cancel} />}
          {state.status === 'done' && (
            <Warnings question={question} summary={state.result.summary} onChange={onChange} />
          )}
          {(state.status === 'done' || state.status === 'running') && last && client && (
            // The last run's entries can be read until the next run ends, but not changed: that run would miss the change.
            <div className="try-entries" inert={state.status === 'running'}>
              <Entries key={`${last.run} ${list}`} {...{ list, question, result: last, client, dedupe }} />
            </div>
          )}
        </div>
      </Tabs>
    </section>
  )
}

/** Progress: known while reading, unknown while comparing. */
function Working({ share, onCancel }: { share: number; onCancel: () => void }): ReactElement {
  return (
    <div className="try-working" role="status">
      <progress aria-label="Working" {...(share > 0 && share < 1 ? { value: share } : {})} />
      <span>{share < 1 ? 'Reading' : 'Comparing'}</span>
      <Button small onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

/** Names of the two downloads: the kept list has the file's own extension, the report that of its format. */
function fileNames(mode: Mode, name: string | undefined, isJsonLines: boolean): Record<ListName, string> {
  const own = /[^.]\.(\w{1,8})$/.exec(name ?? '')?.[1]
  const kept = own ?? (isJsonLines ? 'jsonl' : modeSpec(mode).extension)
  return { kept: `kept.${kept}`, removed: `removed.${modeSpec(mode).report}` }
}

interface ResultActionsProps {
  readonly list: ListName
  readonly fileName: string
  readonly client: WorkerClient | undefined
}

function ResultActions({ list, fileName, client }: ResultActionsProps): ReactElement {
  const text = async (): Promise<string> => (client ? exactText(await client.file(list)) : '')
  return (
    <span className="row">
      <CopyButton text={text} what={list === 'kept' ? 'what was kept' : 'what was removed'} disabled={!client} />
      <Button
        variant="quiet"
        small
        onClick={() => client && saveFrom(client, list, fileName)}
        disabled={!client}
        aria-label={`Download ${fileName}`}
      >
        Download
      </Button>
    </span>
  )
}
