import type { SessionAnswer } from '@keepfirst/protocol'
import { useEffect, useState } from 'preact/compat'
import { unlessSignedOut } from './api.ts'

export interface Loaded<Answer> {
  /** The last answer; kept while a newer one is loading, and if that fails. */
  readonly answer: Answer | undefined
  /** Why there is no newer answer. */
  readonly error: unknown
}

/**
 * The server's answer to `request`, requested again whenever `request` or `session` changes.
 * @param onSessionEnded called when the session has ended
 */
export function useServer<Answer>(
  request: () => Promise<Answer>,
  session: SessionAnswer,
  onSessionEnded: () => void,
): Loaded<Answer> {
  const [state, setState] = useState<Loaded<Answer>>({ answer: undefined, error: undefined })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer session repeats the same request
  useEffect(() => {
    let current = true
    unlessSignedOut(request(), () => current && onSessionEnded()).then(
      (answer) => current && answer && setState({ answer, error: undefined }),
      (error: unknown) => current && setState((before) => ({ ...before, error })),
    )
    return () => {
      current = false
    }
  }, [request, onSessionEnded, session])

  return state
}
