/** Lets the host end long work: it may throw, and the instance is then dropped. */
@external('env', 'pause')
declare function pause(): void

/** Operations of the inner loops (a few nanoseconds each) between two pauses: some tens of milliseconds. */
const OPERATIONS_BETWEEN_PAUSES: i32 = 1 << 23
let left: i32 = OPERATIONS_BETWEEN_PAUSES

@inline
export function spend(operations: i32): void {
  left -= operations
  if (left < 0) takePause()
}

function takePause(): void {
  left = OPERATIONS_BETWEEN_PAUSES
  pause()
}
