import { type Plan, type Refusal, refuse } from '@keepfirst/protocol'
import type { Billable } from '../endpoint.ts'

/** Step 4, what it costs (specification 8.1): may the plan's requests cost that much? */
export function price({ units }: Billable, plan: Plan): Refusal | undefined {
  return units > plan.unitsPerRequest ? refuse.tooManyUnits(plan, units) : undefined
}
