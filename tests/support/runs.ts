/** The fraction of runs of each property: a tenth by default, all in `npm run test:long`, more with `RUNS=30`. */
const SHARE = Number(process.env.RUNS ?? 0.1)

/**
 * The number of runs for a property that needs many.
 * @param all the number in `npm run test:long`
 */
export function runs(all: number): number {
  return Math.ceil(all * SHARE)
}
