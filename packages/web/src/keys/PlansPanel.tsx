import {
  ACCOUNT_PLANS,
  type AccountView,
  grouped,
  LAST_DAYS,
  largerPlans,
  PLAN_FACTS,
  PLANS,
  type Plan,
  planFacts,
  type UsageAnswer,
  withNoun,
} from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { Bar, ContactButton, Table, Tag } from '../design/index.ts'

interface PlansPanelProps {
  readonly account: AccountView
  readonly contact: string | null
  readonly usage: UsageAnswer | undefined
}

/** The plans side by side, and how much of each the account's recent usage would take. */
export function PlansPanel({ account, contact, usage }: PlansPanelProps): ReactElement {
  const plans = ACCOUNT_PLANS.map((name) => PLANS[name])
  const facts = Object.entries(PLAN_FACTS)
  return (
    <section className="panel keys-plans" aria-labelledby="plans-title">
      <div className="panel-head">
        <h2 id="plans-title">Plans</h2>
        {usage && (
          <span className="muted number">
            {withNoun(usage.lastDays.units, 'unit')} in your last {LAST_DAYS} days
          </span>
        )}
      </div>
      <Table caption="Plans side by side" columns={[{ title: 'Plan' }, ...plans.map(({ title }) => ({ title }))]}>
        <tr>
          <th scope="row">Your last {LAST_DAYS} days</th>
          {plans.map((plan) => (
            <td key={plan.name}>{usage && <Share plan={plan} units={usage.lastDays.units} />}</td>
          ))}
        </tr>
        {facts.map(([fact, title]) => (
          <tr key={fact}>
            <th scope="row">{title}</th>
            {plans.map((plan) => (
              <td key={plan.name} className="number">
                {Object.entries(planFacts(plan)).find(([name]) => name === fact)?.[1]}
              </td>
            ))}
          </tr>
        ))}
        <tr>
          <th scope="row">
            <span className="visually-hidden">How to get it</span>
          </th>
          {plans.map((plan) => (
            <td key={plan.name}>
              {plan.name === account.plan && <Tag tone="good">your plan</Tag>}
              {largerPlans(account.plan).includes(plan) && (
                <ContactButton contact={contact} subject={`Keepfirst: ${plan.title} for ${account.email}`}>
                  Ask for {plan.title}
                </ContactButton>
              )}
            </td>
          ))}
        </tr>
      </Table>
    </section>
  )
}

/** How much of a plan's allowance this many units would take. */
function Share({ plan, units }: { readonly plan: Plan; readonly units: number }): ReactElement {
  const percent = Math.ceil((units / plan.allowance.units) * 100)
  return (
    <Bar
      label={percent > 100 ? 'would not fit' : `would take ${grouped(percent)}%`}
      value={units}
      max={plan.allowance.units}
      text={percent > 100 ? `${grouped(percent)}%` : ''}
    />
  )
}
