import { type Plan, type Refusal, refuse } from '@keepfirst/protocol'
import type { Billable } from '../endpoint.ts'

/** Refuses requests that cost more than the plan allows per request (specification 8.1). */
export function price({ units }: Billable, plan: Plan): Refusal | undefined {
  return units > plan.unitsPerRequest ? refuse.tooManyUnits(plan, units) : undefined
}
