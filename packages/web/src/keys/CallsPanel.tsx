import type { CallView } from '@keepfirst/protocol'
import { type ReactElement, useCallback, useState } from 'preact/compat'
import { Button, ButtonLink, Empty, Notice, Table, Tag } from '../design/index.ts'
import { callsFileAddress, server } from './api.ts'
import { useServer } from './useServer.ts'
import { count, instant, monthName, number, troubleInWords } from './words.ts'

const PAGE = 25

interface CallsPanelProps {
  readonly month: string
  readonly turn: number
  readonly onSignedOut: () => void
}

interface Filter {
  readonly text: string
  readonly outcome: 'all' | 'answered' | 'refused'
}

/** The latest calls of the month, to be looked through and taken away. */
export function CallsPanel({ month, turn, onSignedOut }: CallsPanelProps): ReactElement {
  const ask = useCallback(async () => ({ month, ...(await server.calls(month)) }), [month])
  const { answer, error } = useServer(ask, turn, onSignedOut)
  const [filter, setFilter] = useState<Filter>({ text: '', outcome: 'all' })
  const calls = answer?.month === month ? answer.calls : undefined

  return (
    <section className="panel keys-calls table-dense" aria-labelledby="calls-title">
      <div className="panel-head">
        <h2 id="calls-title">Latest calls</h2>
        <ButtonLink small href={callsFileAddress(month)} download>
          Download CSV
        </ButtonLink>
      </div>
      {calls === undefined && error === undefined && <div className="usage-pending" aria-hidden="true" />}
      {calls === undefined && error !== undefined && (
        <div className="panel-body">
          <Notice tone="bad">{troubleInWords(error)}</Notice>
        </div>
      )}
      {calls?.length === 0 && (
        <Empty title={`No calls in ${monthName(month)}`}>
          <p>Each call with a key gets a line: when, how much, how it ended. Never what was in it.</p>
        </Empty>
      )}
      {calls !== undefined && calls.length > 0 && (
        <>
          <FilterBar filter={filter} onFilter={setFilter} />
          <CallTable key={`${filter.text} ${filter.outcome}`} calls={calls.filter((call) => matches(call, filter))} />
        </>
      )}
    </section>
  )
}

interface FilterBarProps {
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
}

function FilterBar({ filter, onFilter }: FilterBarProps): ReactElement {
  return (
    <div className="calls-filter">
      <input
        className="input input-small"
        type="search"
        aria-label="Filter calls by key, mode or status"
        placeholder="Filter by key, mode or status"
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
      <select
        className="input input-small"
        aria-label="Outcome"
        value={filter.outcome}
        onChange={(event) => onFilter({ ...filter, outcome: outcomeNamed(event.currentTarget.value) })}
      >
        <option value="all">All outcomes</option>
        <option value="answered">Answered</option>
        <option value="refused">Refused or failed</option>
      </select>
    </div>
  )
}

function CallTable({ calls }: { readonly calls: readonly CallView[] }): ReactElement {
  const [shown, setShown] = useState(PAGE)
  if (calls.length === 0) return <Empty title="No call matches the filter" />
  return (
    <>
      <Table
        caption="Latest calls, newest first, times in UTC"
        columns={[
          { title: 'Time (UTC)' },
          { title: 'Key' },
          { title: 'Mode' },
          { title: 'Rows', number: true },
          { title: 'Removed', number: true },
          { title: 'Units', number: true },
          { title: 'Status' },
          { title: 'Took', number: true },
        ]}
      >
        {calls.slice(0, shown).map((call, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a call has no name, and the list is only ever replaced whole
          <CallRow key={`${call.at} ${i}`} call={call} />
        ))}
      </Table>
      <p className="panel-note row row-apart">
        <span role="status">
          {number(Math.min(shown, calls.length))} of {count(calls.length, 'call')}
        </span>
        {shown < calls.length && (
          <Button small onClick={() => setShown(shown + 4 * PAGE)}>
            Show more
          </Button>
        )}
      </p>
    </>
  )
}

function CallRow({ call }: { readonly call: CallView }): ReactElement {
  return (
    <tr>
      <td className="nowrap number">
        <time dateTime={call.at}>{instant(call.at)}</time>
      </td>
      <td title={`${call.keyName} (${call.keyPrefix}…)`} className="call-key">
        {call.keyName}
      </td>
      <td>{call.mode ?? <Unknown />}</td>
      <td className="table-number">{call.rows === null ? <Unknown /> : number(call.rows)}</td>
      <td className="table-number">{call.removed === null ? <Unknown /> : number(call.removed)}</td>
      <td className="table-number">{number(call.units)}</td>
      <td>
        <StatusTag status={call.status} />
      </td>
      <td className="table-number nowrap">
        {call.durationMs === null ? <Unknown /> : `${number(Math.round(call.durationMs))} ms`}
      </td>
    </tr>
  )
}

function Unknown(): ReactElement {
  return (
    <span className="muted">
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">not known</span>
    </span>
  )
}

function StatusTag({ status }: { readonly status: number | null }): ReactElement {
  if (status === null) return <Tag tone="warn">interrupted</Tag>
  if (status < 300) return <Tag tone="good">{status}</Tag>
  return <Tag tone={status < 500 ? 'warn' : 'bad'}>{status}</Tag>
}

function matches(call: CallView, { text, outcome }: Filter): boolean {
  const answered = call.status !== null && call.status < 300
  if (outcome === 'answered' && !answered) return false
  if (outcome === 'refused' && answered) return false
  const words = `${call.keyName} ${call.keyPrefix} ${call.mode ?? ''} ${call.status ?? 'interrupted'}`.toLowerCase()
  return words.includes(text.trim().toLowerCase())
}

function outcomeNamed(value: string): Filter['outcome'] {
  return value === 'answered' || value === 'refused' ? value : 'all'
}
