/** The far end of a request, for whoever works for it. */
export interface ClientConnection {
  /** The client went away before it had its answer. */
  readonly aborted: boolean
  /** Aborts with {@link ClientDisconnected} when it goes. Costs something the first time it is asked for. */
  readonly signal: AbortSignal
}

/** The client went away: nobody reads the answer. Recorded as status 499. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'
}
