import { useEffect, useState } from 'preact/compat'
import { RequestError } from './api.ts'

export interface Loaded<Answer> {
  /** The last answer; kept while a newer one is loading. */
  readonly answer: Answer | undefined
  readonly error: unknown
}

/**
 * The server's answer to `request`, requested again whenever `request` or `refreshCount` changes.
 * @param onSessionEnded called when the session has ended
 */
export function useServer<Answer>(
  request: () => Promise<Answer>,
  refreshCount: number,
  onSessionEnded: () => void,
): Loaded<Answer> {
  const [state, setState] = useState<Loaded<Answer>>({ answer: undefined, error: undefined })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a refresh repeats the same request
  useEffect(() => {
    let current = true
    request().then(
      (answer) => current && setState({ answer, error: undefined }),
      (error: unknown) => {
        if (!current) return
        if (error instanceof RequestError && error.is('signed out')) onSessionEnded()
        else setState((before) => ({ ...before, error }))
      },
    )
    return () => {
      current = false
    }
  }, [request, onSessionEnded, refreshCount])

  return state
}
