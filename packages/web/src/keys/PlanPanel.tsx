import { type AccountPlan, type AccountView, PLANS, type Plan, type UsageAnswer } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { Bar, Contact, Notice, Tag } from '../design/index.ts'
import type { Loaded } from './useServer.ts'
import { count, inDays, number, shortDay, troubleInWords } from './words.ts'

interface PlanPanelProps {
  readonly account: AccountView
  readonly contact: string | null
  /** Of the current month. */
  readonly usage: Loaded<UsageAnswer>
}

/** What this month has left, and what the plan allows. */
export function PlanPanel({ account, contact, usage }: PlanPanelProps): ReactElement {
  const plan = PLANS[account.plan]
  return (
    <section className="panel keys-plan" aria-labelledby="plan-title">
      <div className="panel-head">
        <h2 id="plan-title">This month</h2>
        <Tag>{plan.title} plan</Tag>
      </div>
      <div className="panel-body stack">
        <MonthBar plan={plan} usage={usage} />
        <dl className="facts">
          {limitsOf(plan).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="number">{value}</dd>
            </div>
          ))}
        </dl>
        {LARGER[account.plan] && (
          <p className="field-hint">
            Need more? {LARGER[account.plan]} <Contact contact={contact} />
          </p>
        )}
      </div>
    </section>
  )
}

function MonthBar({ plan, usage }: { readonly plan: Plan } & Pick<PlanPanelProps, 'usage'>): ReactElement {
  const { answer, error } = usage
  if (answer === undefined && error !== undefined) return <Notice tone="bad">{troubleInWords(error)}</Notice>
  const limit = answer?.limit ?? plan.allowance.units
  const used = answer?.used ?? 0
  const resets = answer && `${shortDay(answer.resets)}, 00:00 UTC, ${inDays(answer.resets, Date.now())}`
  return (
    <div className="stack month">
      <p className="month-figure">
        <strong className="number">{answer ? number(Math.max(0, limit - used)) : '–'}</strong>{' '}
        <span className="muted">{limit - used === 1 ? 'unit left' : 'units left'}</span>
      </p>
      <Bar
        label="Used"
        value={used}
        max={limit}
        text={answer ? `${number(used)} of ${number(limit)} units` : ' '}
        note={resets ? `Whole again ${resets}.` : ' '}
      />
      {used >= limit && (
        <Notice tone="bad" live>
          The month’s units are spent: requests are refused until then.
        </Notice>
      )}
    </div>
  )
}

function limitsOf(plan: Plan): readonly (readonly [string, string])[] {
  const { burst, activeKeys } = plan
  return [
    ['Units per month', number(plan.allowance.units)],
    ['Units per request', number(plan.unitsPerRequest)],
    ['Request body', plan.bodyCap],
    [
      'Requests',
      burst ? `${number(burst.requests)} per ${burst.windowSeconds === 60 ? 'minute' : 'hour'}` : 'no limit',
    ],
    ['Active keys', activeKeys === null ? 'unlimited' : number(activeKeys)],
  ]
}

/** What comes after a plan, for those who ask. */
const LARGER: { readonly [Name in AccountPlan]: string | undefined } = {
  free: `${offer(PLANS.starter)}; ${offer(PLANS.pro)}.`,
  starter: `${offer(PLANS.pro)}.`,
  pro: undefined,
}

function offer(plan: Plan): string {
  const keys = plan.activeKeys === null ? 'unlimited keys' : count(plan.activeKeys, 'key')
  return `${plan.title} has ${number(plan.allowance.units)} units and ${keys} for $${plan.pricePerMonth} a month`
}
