import { AbortError, TimeoutError } from './errors.ts'

/** The longest delay that the platform's timers support (about 24 days); a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Ends a call early: on the caller's signal or the time limit, whichever comes first. */
export interface Deadline {
  /** Aborted with the error that the call should fail with. */
  readonly signal: AbortSignal
  /** Ends the deadline and removes its timer and listener. */
  close(): void
}

/** Starts a deadline; it has to be closed when the call has ended. */
export function openDeadline(timeoutMs: number, callersSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const onAbort = () => controller.abort(new AbortError(callersSignal?.reason))
  const timer = setTimeout(() => controller.abort(new TimeoutError(timeoutMs)), Math.min(timeoutMs, LONGEST_TIMER_MS))
  if (callersSignal?.aborted) onAbort()
  callersSignal?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    close: () => {
      clearTimeout(timer)
      callersSignal?.removeEventListener('abort', onAbort)
    },
  }
}

/**
 * Resolves after this many milliseconds.
 * @throws signal.reason when the signal is aborted first
 */
export function sleep(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    const onAbort = () => {
      clearTimeout(timer)
      failed(signal.reason)
    }
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', onAbort)
        done()
      },
      Math.min(durationMs, LONGEST_TIMER_MS),
    )
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}
