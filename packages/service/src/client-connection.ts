/** The client's side of a request. */
export interface ClientConnection {
  /** The client disconnected before it had its answer. */
  readonly aborted: boolean
  /** Aborts with {@link ClientDisconnected} when the client disconnects. Its first use has a cost. */
  readonly signal: AbortSignal
}

/** The client disconnected, so nobody reads the answer. Recorded as status 499. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'
}
