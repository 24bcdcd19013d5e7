import { PLANS, type Plan } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { Table } from '../design/index.ts'

const COLUMNS = [
  { title: 'Plan' },
  { title: 'Price a month', number: true },
  { title: 'Units', number: true },
  { title: 'Units a request', number: true },
  { title: 'Body', number: true },
  { title: 'Requests', number: true },
  { title: 'Keys', number: true },
] as const

/** Specification 8.2 and 8.3, as the service enforces them. */
export function PlansTable(): ReactElement {
  return (
    <Table caption="Plans and their limits" columns={COLUMNS}>
      {Object.values(PLANS).map((plan) => (
        <tr key={plan.name}>
          <th scope="row">{plan.title}</th>
          <td className="table-number">{priceOf(plan)}</td>
          <td className="table-number">
            {plan.allowance.units.toLocaleString('en-US')} a {plan.allowance.per}
          </td>
          <td className="table-number">{plan.unitsPerRequest.toLocaleString('en-US')}</td>
          <td className="table-number">{plan.bodyCap}</td>
          <td className="table-number">{burstOf(plan)}</td>
          <td className="table-number">{keysOf(plan)}</td>
        </tr>
      ))}
    </Table>
  )
}

function priceOf({ pricePerMonth }: Plan): string {
  if (pricePerMonth === null) return 'no key needed'
  return pricePerMonth === 0 ? 'free' : `$${pricePerMonth}`
}

function burstOf({ burst }: Plan): string {
  if (burst === null) return 'no limit'
  return `${burst.requests} ${burst.windowSeconds === 60 ? 'a minute' : 'an hour'}`
}

function keysOf({ activeKeys }: Plan): string {
  if (activeKeys === null) return 'unlimited'
  return activeKeys === 0 ? 'none' : String(activeKeys)
}
