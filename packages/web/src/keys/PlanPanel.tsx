import { type AccountView, grouped, PLANS, type Plan, type UsageAnswer } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { Bar, Notice, Tag } from '../design/index.ts'
import { inDays, shortDay } from './format.ts'
import { errorMessage } from './messages.ts'
import type { Loaded } from './useServer.ts'

interface PlanPanelProps {
  readonly account: AccountView
  /** Usage of the current month. */
  readonly usage: Loaded<UsageAnswer>
}

/** What is left of this month's units. */
export function PlanPanel({ account, usage }: PlanPanelProps): ReactElement {
  const plan = PLANS[account.plan]
  return (
    <section className="panel keys-plan" aria-labelledby="plan-title">
      <div className="panel-head">
        <h2 id="plan-title">This month</h2>
        <Tag>{plan.title} plan</Tag>
      </div>
      <div className="panel-body stack">
        <MonthBar plan={plan} usage={usage} />
        <p className="field-hint">
          <a href="#plans-title">Plans side by side</a>
        </p>
      </div>
    </section>
  )
}

function MonthBar({ plan, usage }: { readonly plan: Plan } & Pick<PlanPanelProps, 'usage'>): ReactElement {
  const { answer, error } = usage
  const problem = error !== undefined && <Notice tone="bad">{errorMessage(error)}</Notice>
  if (answer === undefined && problem) return problem
  const limit = answer?.limit ?? plan.allowance.units
  const used = answer?.used ?? 0
  const resets = answer && `${shortDay(answer.resets)} at 00:00 UTC, ${inDays(answer.resets, Date.now())}`
  return (
    <div className="stack month">
      {problem}
      <p className="month-figure">
        <strong className="number">{answer ? grouped(Math.max(0, limit - used)) : '–'}</strong>{' '}
        <span className="muted">{limit - used === 1 ? 'unit left' : 'units left'}</span>
      </p>
      <Bar
        label="Used"
        value={used}
        max={limit}
        text={answer ? `${grouped(used)} of ${grouped(limit)} units` : '\u00a0'}
        note={resets ? `Resets on ${resets}.` : '\u00a0'}
      />
      {used >= limit && (
        <Notice tone="bad" live>
          This month’s units are used up; requests are refused until they reset.
        </Notice>
      )}
    </div>
  )
}
