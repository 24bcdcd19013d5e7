import type { Store } from '../store/store.ts'

/** What an operator's command works with; opened for it and closed after it. */
export interface OperatorDesk {
  readonly store: Store
  readonly tokenPrefix: string
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
  readonly print: (text: string) => void
}

/** What an operator asked for can't be done; the message is one line that says why. Exit code 1. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/** An instant as people and programs read it; absent ones stay null. */
export function instant(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
