import { useEffect, useState } from 'preact/compat'
import { Trouble } from './api.ts'

export interface Loaded<Answer> {
  /** The last answer; kept while a newer one is loading. */
  readonly answer: Answer | undefined
  readonly error: unknown
}

/**
 * The server's answer to `ask`, requested again whenever `ask` or `turn` changes.
 * @param onSignedOut called when the session has ended
 */
export function useServer<Answer>(ask: () => Promise<Answer>, turn: number, onSignedOut: () => void): Loaded<Answer> {
  const [state, setState] = useState<Loaded<Answer>>({ answer: undefined, error: undefined })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn repeats the same request
  useEffect(() => {
    let current = true
    ask().then(
      (answer) => current && setState({ answer, error: undefined }),
      (error: unknown) => {
        if (!current) return
        if (error instanceof Trouble && error.is('signed out')) onSignedOut()
        else setState((before) => ({ ...before, error }))
      },
    )
    return () => {
      current = false
    }
  }, [ask, onSignedOut, turn])

  return state
}
