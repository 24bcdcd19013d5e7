import { type Simulated, type SimulationOptions, simulate } from './world.ts'

/** How a failure tells what to do next. */
export function replayHint({ seed }: Pick<Simulated, 'seed'>): string {
  return `SEED=${seed} npx vitest run tests/simulation shows all that happened`
}

export interface Worlds extends SimulationOptions {
  readonly from: number
  readonly count: number
  /** Sees each of them. */
  readonly onWorld?: (world: Simulated) => void
}

/** What is wrong with the first world in which a rule is broken; undefined when there is none. */
export async function firstBroken({ from, count, onWorld, ...options }: Worlds): Promise<string | undefined> {
  for (let seed = from; seed < from + count; seed += 1) {
    const world = await simulate(seed, options)
    onWorld?.(world)
    if (world.violations.length > 0) return [...world.violations, replayHint(world)].join('\n')
  }
  return undefined
}
