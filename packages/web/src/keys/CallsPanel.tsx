import { type CallView, grouped, type KeyView, type SessionAnswer, withNoun } from '@keepfirst/protocol'
import { type ReactElement, useCallback, useState } from 'preact/compat'
import { Button, ButtonLink, EmptyState, Notice, Table, Tag } from '../design/index.ts'
import { type CallsQuery, callsFileUrl, server } from './api.ts'
import { instant, monthName } from './format.ts'
import { errorMessage } from './messages.ts'
import { EXPLAINED, MEANINGS, OUTCOMES } from './statuses.ts'
import { useSearchParam } from './useSearchParam.ts'
import { useServer } from './useServer.ts'

const PAGE = 25

interface CallsPanelProps {
  readonly session: SessionAnswer
  readonly month: string
  readonly keys: readonly KeyView[]
  readonly onSessionEnded: () => void
}

const isOutcome = (value: string): boolean => OUTCOMES.some(({ name }) => name === value)
/** A key's identifier; the server checks whose it is. */
const isKeyId = (value: string): boolean => /^[\w-]{1,100}$/.test(value)

/** The month's latest calls, to browse and to download. The filter is kept in the URL. */
export function CallsPanel({ session, month, keys, onSessionEnded }: CallsPanelProps): ReactElement {
  const [key, setKey] = useSearchParam('key', isKeyId)
  const [status, setStatus] = useSearchParam('status', isOutcome)
  const filter = `${month} ${key} ${status}`
  const load = useCallback(
    async () => ({ filter, ...(await server.calls({ month, key, status })) }),
    [filter, month, key, status],
  )
  const { answer, error } = useServer(load, session, onSessionEnded)
  const found = answer?.filter === filter ? answer : undefined

  return (
    <section className="panel keys-calls table-dense" aria-labelledby="calls-title">
      <div className="panel-head">
        <h2 id="calls-title">Calls</h2>
        <ButtonLink small href={callsFileUrl({ month, key, status })} download>
          {key || status ? 'These as CSV' : 'Month as CSV'}
        </ButtonLink>
      </div>
      <FilterBar query={{ month, key, status }} keys={keys} onKey={setKey} onStatus={setStatus} />
      {found === undefined && error === undefined && <div className="usage-pending" aria-hidden="true" />}
      {error !== undefined && (
        <div className="panel-body">
          <Notice tone="bad">{errorMessage(error)}</Notice>
        </div>
      )}
      {found?.calls.length === 0 && <NoCalls month={month} filtered={key !== '' || status !== ''} />}
      {found !== undefined && found.calls.length > 0 && (
        <CallTable key={filter} calls={found.calls} more={found.more} />
      )}
    </section>
  )
}

function NoCalls({ month, filtered }: { readonly month: string; readonly filtered: boolean }): ReactElement {
  if (filtered) return <EmptyState title={`No calls in ${monthName(month)} match the filter`} />
  return (
    <EmptyState title={`No calls in ${monthName(month)}`}>
      <p>Every call with a key is listed with its time, size and outcome, never with its content.</p>
    </EmptyState>
  )
}

interface FilterBarProps {
  readonly query: CallsQuery
  readonly keys: readonly KeyView[]
  readonly onKey: (key: string) => void
  readonly onStatus: (status: string) => void
}

function FilterBar({ query, keys, onKey, onStatus }: FilterBarProps): ReactElement {
  return (
    <div className="calls-filter">
      <select
        className="input input-small"
        aria-label="Show calls of key"
        value={query.key}
        onChange={({ currentTarget }) => onKey(currentTarget.value)}
      >
        <option value="">All keys</option>
        {keys.map(({ id, name, prefix }) => (
          <option key={id} value={id}>
            {isolated(name)} ({prefix}…)
          </option>
        ))}
      </select>
      <select
        className="input input-small"
        aria-label="Show calls with outcome"
        value={query.status}
        onChange={({ currentTarget }) => onStatus(currentTarget.value)}
      >
        {OUTCOMES.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A name that may be written from right to left, within text that cannot have elements (Unicode isolates). */
function isolated(name: string): string {
  return `\u2068${name}\u2069`
}

interface CallTableProps {
  readonly calls: readonly CallView[]
  /** Whether there are more, which only the file contains. */
  readonly more: boolean
}

function CallTable({ calls, more }: CallTableProps): ReactElement {
  const [shown, setShown] = useState(PAGE)
  return (
    <>
      <Table
        caption="Calls, newest first, times in UTC"
        columns={[
          { title: 'Time (UTC)' },
          { title: 'Status' },
          { title: 'Units', number: true },
          { title: 'Mode' },
          { title: 'Rows', number: true },
          { title: 'Removed', number: true },
          { title: 'Key' },
          { title: 'Took', number: true },
        ]}
      >
        {calls.slice(0, shown).map((call, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a call has no id, and the list is only replaced as a whole
          <CallRow key={`${call.at} ${i}`} call={call} />
        ))}
      </Table>
      <p className="panel-note row row-apart">
        <span role="status">
          {grouped(Math.min(shown, calls.length))} of{' '}
          {more ? `the latest ${grouped(calls.length)}` : withNoun(calls.length, 'call')}
          {more && '; the file has all of them'}
        </span>
        {shown < calls.length && (
          <Button small onClick={() => setShown(shown + 4 * PAGE)}>
            Show more
          </Button>
        )}
      </p>
      <details className="fold">
        <summary>What the statuses mean</summary>
        <dl className="meanings panel-body">
          {EXPLAINED.map((status) => (
            <div key={status}>
              <dt>
                <StatusTag status={status} />
              </dt>
              <dd>{MEANINGS[status]?.long}</dd>
            </div>
          ))}
        </dl>
        <p className="panel-note">
          <a href="/api#errors">Every error with its message</a>
        </p>
      </details>
    </>
  )
}

function CallRow({ call }: { readonly call: CallView }): ReactElement {
  return (
    <tr>
      <td className="nowrap number">
        <time dateTime={call.at}>{instant(call.at)}</time>
      </td>
      <td className="nowrap">
        <StatusTag status={call.status} />
      </td>
      <td className="table-number">{grouped(call.units)}</td>
      <td>{call.mode ?? <Unknown />}</td>
      <td className="table-number">{call.rows === null ? <Unknown /> : grouped(call.rows)}</td>
      <td className="table-number">{call.removed === null ? <Unknown /> : grouped(call.removed)}</td>
      <td title={`${isolated(call.keyName)} (${call.keyPrefix}…)`} className="call-key">
        {call.keyName}
      </td>
      <td className="table-number nowrap">
        {call.durationMs === null ? <Unknown /> : `${grouped(Math.round(call.durationMs))} ms`}
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

/** A status and its meaning in two words. */
function StatusTag({ status }: { readonly status: number | null }): ReactElement {
  if (status === null) return <Tag tone="warn">interrupted</Tag>
  const tone = status < 300 ? 'good' : status < 500 ? 'warn' : 'bad'
  const meaning = MEANINGS[status]?.short
  return (
    <Tag tone={tone}>
      {status}
      {status >= 300 && meaning && ` ${meaning}`}
    </Tag>
  )
}
