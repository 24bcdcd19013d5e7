import { CALL_MODES, type DayView, grouped, type SessionAnswer, type UsageAnswer, withNoun } from '@keepfirst/protocol'
import { type ReactElement, useCallback } from 'preact/compat'
import { Button, EmptyState, Notice, Table } from '../design/index.ts'
import { server } from './api.ts'
import { day, monthName } from './format.ts'
import { errorMessage } from './messages.ts'
import { daysOf, monthBefore } from './months.ts'
import { UsageChart } from './UsageChart.tsx'
import { sumOf, unitsOf } from './usage.ts'
import { useServer } from './useServer.ts'

/** How many months the page goes back; the operator's ledger goes back further. */
const MONTHS_BACK = 11

interface UsagePanelProps {
  readonly session: SessionAnswer
  readonly month: string
  readonly thisMonth: string
  readonly onMonth: (month: string) => void
  readonly onSessionEnded: () => void
}

/** Units per day and mode for one month, as a chart and as a table. */
export function UsagePanel({ session, month, thisMonth, onMonth, onSessionEnded }: UsagePanelProps): ReactElement {
  const { answer, error } = useServer(
    useCallback(() => server.usage(month), [month]),
    session,
    onSessionEnded,
  )
  const days = answer?.month === month ? answer.days : undefined
  const calls = sumOf(days ?? [], 'calls')
  return (
    <section className="panel keys-usage" aria-labelledby="usage-title">
      <div className="panel-head">
        <h2 id="usage-title">Usage</h2>
        <div className="row">
          <Button
            small
            aria-label={`Earlier: ${monthName(monthBefore(month))}`}
            disabled={month <= monthBefore(thisMonth, MONTHS_BACK)}
            onClick={() => onMonth(monthBefore(month))}
          >
            ‹
          </Button>
          <span className="month-name" aria-live="polite">
            {monthName(month)}
          </span>
          <Button
            small
            aria-label={`Later: ${monthName(monthBefore(month, -1))}`}
            disabled={month >= thisMonth}
            onClick={() => onMonth(monthBefore(month, -1))}
          >
            ›
          </Button>
        </div>
      </div>
      {days === undefined && error === undefined && <div className="usage-pending" aria-hidden="true" />}
      {error !== undefined && (
        <div className="panel-body">
          <Notice tone="bad">{errorMessage(error)}</Notice>
        </div>
      )}
      {days !== undefined && calls === 0 && (
        <EmptyState title={`No calls in ${monthName(month)}`}>
          <p>The usage of your keys will be shown here by day and mode.</p>
        </EmptyState>
      )}
      {days !== undefined && calls > 0 && (
        <>
          <Days month={month} days={days} />
          <ByKey month={month} keys={answer?.keys ?? []} />
        </>
      )}
    </section>
  )
}

function Days({ month, days }: { readonly month: string; readonly days: readonly DayView[] }): ReactElement {
  const chart = daysOf(month).map((name) => ({ day: name, usage: days.filter((entry) => entry.day === name) }))
  const called = chart.filter(({ usage }) => sumOf(usage, 'calls') > 0)
  return (
    <>
      <div className="panel-body">
        <UsageChart month={month} days={chart} />
      </div>
      <details className="fold">
        <summary>Show as a table</summary>
        <Table
          caption={`Units per day and mode in ${monthName(month)}`}
          columns={[
            { title: 'Day' },
            ...CALL_MODES.map((mode) => ({ title: mode, number: true })),
            { title: 'Units', number: true },
            { title: 'Calls', number: true },
            { title: 'Refused', number: true },
          ]}
        >
          {called.map(({ day: name, usage }) => (
            <tr key={name}>
              <th scope="row" className="nowrap">
                {day(name)}
              </th>
              {CALL_MODES.map((mode) => (
                <td key={mode} className="table-number">
                  {grouped(unitsOf(usage, mode))}
                </td>
              ))}
              <td className="table-number">{grouped(sumOf(usage, 'units'))}</td>
              <td className="table-number">{grouped(sumOf(usage, 'calls'))}</td>
              <td className="table-number">{grouped(sumOf(usage, 'refused'))}</td>
            </tr>
          ))}
        </Table>
      </details>
      <p className="visually-hidden">{withNoun(called.length, 'day')} with calls.</p>
    </>
  )
}

/** What each key used in the month, highest first. */
function ByKey({ month, keys }: { readonly month: string; readonly keys: UsageAnswer['keys'] }): ReactElement {
  return (
    <Table
      caption={`Units by key in ${monthName(month)}`}
      columns={[
        { title: 'Key' },
        { title: 'Units', number: true },
        { title: 'Calls', number: true },
        { title: 'Refused', number: true },
      ]}
    >
      {keys.map(({ keyId, name, prefix, units, calls, refused }) => (
        <tr key={keyId}>
          <th scope="row" className="key-cell">
            <span className="key-name">{name}</span>
            <code>{prefix}…</code>
          </th>
          <td className="table-number">{grouped(units)}</td>
          <td className="table-number">{grouped(calls)}</td>
          <td className="table-number">{grouped(refused)}</td>
        </tr>
      ))}
    </Table>
  )
}
