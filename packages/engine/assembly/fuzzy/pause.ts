/** Lets the host end long work: it may throw, and the instance is then dropped. */
@external('env', 'pause')
declare function pause(): void

/** Steps of the inner loops (a few nanoseconds each) between two pauses: some tens of milliseconds. */
const STEPS_BETWEEN_PAUSES: i32 = 1 << 23
let left: i32 = STEPS_BETWEEN_PAUSES

@inline
export function spend(steps: i32): void {
  left -= steps
  if (left < 0) takePause()
}

function takePause(): void {
  left = STEPS_BETWEEN_PAUSES
  pause()
}
