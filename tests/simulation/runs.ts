import { type Simulated, type SimulationOptions, simulate } from './world.ts'

/** How to replay a world, for the message of a failure. */
export function replayHint({ seed }: Pick<Simulated, 'seed'>): string {
  return `SEED=${seed} npx vitest run tests/simulation shows everything that happened`
}

export interface Worlds extends SimulationOptions {
  readonly from: number
  readonly count: number
  /** Called with each world. */
  readonly onWorld?: (world: Simulated) => void
}

/** The violations in the first world that breaks a rule; undefined if there is none. */
export async function firstBroken({ from, count, onWorld, ...options }: Worlds): Promise<string | undefined> {
  for (let seed = from; seed < from + count; seed += 1) {
    const world = await simulate(seed, options)
    onWorld?.(world)
    if (world.violations.length > 0) return [...world.violations, replayHint(world)].join('\n')
  }
  return undefined
}
