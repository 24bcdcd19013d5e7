import type { CallMode, DayView } from '@keepfirst/protocol'

/** A total over days and modes. */
export function sumOf(usage: readonly DayView[], what: 'units' | 'calls' | 'refused'): number {
  return usage.reduce((sum, each) => sum + each[what], 0)
}

/** The units that were used in a mode. */
export function unitsOf(usage: readonly DayView[], mode: CallMode): number {
  return sumOf(
    usage.filter((each) => each.mode === mode),
    'units',
  )
}
