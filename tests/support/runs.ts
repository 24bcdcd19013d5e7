/** Which part of all runs a property gets: a tenth in a short run, all of them in `npm run test:long`, `RUNS=30` more. */
const SHARE = Number(process.env.RUNS ?? 0.1)

/**
 * How often a property with many runs is tried.
 * @param all how often in a long run
 */
export function runs(all: number): number {
  return Math.ceil(all * SHARE)
}
