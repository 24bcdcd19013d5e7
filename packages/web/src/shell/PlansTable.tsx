import { PLAN_FACTS, PLANS, planFacts } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { Table } from '../design/index.ts'

const COLUMNS = [{ title: 'Plan' }, ...Object.values(PLAN_FACTS).map((title) => ({ title, number: true }))]

/** Specification 8.2 and 8.3, as the service enforces them. */
export function PlansTable(): ReactElement {
  return (
    <Table caption="Plans and their limits" columns={COLUMNS}>
      {Object.values(PLANS).map((plan) => (
        <tr key={plan.name}>
          <th scope="row">{plan.title}</th>
          {Object.entries(planFacts(plan)).map(([name, fact]) => (
            <td key={name} className="table-number">
              {fact}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  )
}
