import { type ReadAnswer, readErrorBody } from './answers.ts'
import { openDeadline } from './deadline.ts'
import { apiError, ConnectionError, UnexpectedAnswerError } from './errors.ts'
import { waitBeforeRetryMs } from './retry.ts'

/** What a call needs from its platform; tests substitute their own. */
export interface Platform {
  readonly fetch: typeof globalThis.fetch
  /** Resolves after `durationMs`; rejects with the signal's reason if it is aborted first. */
  readonly sleep: (durationMs: number, signal: AbortSignal) => Promise<void>
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
  /** A number in [0, 1). */
  readonly random: () => number
}

export interface Call<Answer> {
  readonly baseUrl: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly readAnswer: ReadAnswer<Answer>
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * Makes a call and retries it where that is safe, until it succeeds, fails for good or runs out of time. A wait that
 * would exceed the time limit is not started, because the failure itself is more informative than a timeout.
 * @throws KeepfirstError when it does not succeed
 */
export async function makeCall<Answer>(call: Call<Answer>, platform: Platform): Promise<Answer> {
  const endsAtMs = platform.now() + call.timeoutMs
  const deadline = openDeadline(call.timeoutMs, call.signal)
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await attemptCall(call, platform, deadline.signal)
      } catch (failure) {
        const waitMs = waitBeforeRetryMs(failure, attempt, platform.random)
        if (waitMs === undefined || platform.now() + waitMs >= endsAtMs) throw failure
        await platform.sleep(waitMs, deadline.signal)
      }
    }
  } finally {
    deadline.close()
  }
}

async function attemptCall<Answer>(call: Call<Answer>, platform: Platform, signal: AbortSignal): Promise<Answer> {
  const { response, text } = await exchange(call, platform, signal)
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
    throw new UnexpectedAnswerError(response.status, 'the answer is a redirect')
  if (!response.ok) throw apiError(response.status, readErrorBody(response, text), call.baseUrl + call.path)
  const answer = call.readAnswer(text)
  if (answer === undefined) throw new UnexpectedAnswerError(response.status, 'the answer is not a result')
  return answer
}

async function exchange(
  { baseUrl, path, headers, body }: Call<unknown>,
  platform: Platform,
  signal: AbortSignal,
): Promise<{ response: Response; text: string }> {
  signal.throwIfAborted()
  try {
    // Redirects are not followed, so that the key and the list only ever go to baseUrl.
    const response = await platform.fetch(baseUrl + path, { method: 'POST', headers, body, signal, redirect: 'manual' })
    return { response, text: await response.text() }
  } catch (cause) {
    signal.throwIfAborted()
    throw new ConnectionError(baseUrl, cause)
  }
}
