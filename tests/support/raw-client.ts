import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** A connection for raw bytes, to test what HTTP clients do not allow. */
export class RawClient {
  readonly socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #hasEnded = false

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
    })
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        this.#hasEnded = true
        socket.emit('data', Buffer.alloc(0))
      })
    }
  }

  static async open(port: number): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    await once(socket, 'connect')
    return new RawClient(socket)
  }

  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes)
  }

  /** Waits for the next response, including interim ones; undefined if the server closes the connection first. */
  async response({ hasBody = true }: { hasBody?: boolean } = {}): Promise<RawResponse | undefined> {
    const headEnd = await this.#arrived(() => {
      const at = this.#received.indexOf('\r\n\r\n')
      return at < 0 ? undefined : at
    })
    if (headEnd === undefined) return undefined
    const [statusLine = '', ...lines] = this.#received.subarray(0, headEnd).toString('latin1').split('\r\n')
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const end = headEnd + 4 + (hasBody ? Number(headers.get('content-length') ?? 0) : 0)
    const complete = await this.#arrived(() => (this.#received.length >= end ? end : undefined))
    if (complete === undefined) return undefined
    const body = this.#received.subarray(headEnd + 4, end).toString()
    this.#received = this.#received.subarray(end)
    return { status: Number(statusLine.split(' ')[1]), headers, body }
  }

  /** Waits until the server has closed the connection; returns what was received and not yet read. */
  async ended(): Promise<string> {
    await this.#arrived(() => (this.#hasEnded ? true : undefined))
    return this.#received.toString()
  }

  close(): void {
    this.socket.destroy()
  }

  async #arrived<Found>(find: () => Found | undefined): Promise<Found | undefined> {
    for (;;) {
      const found = find()
      if (found !== undefined || this.#hasEnded) return found
      // Not `once` from node:events: here a reset counts as an ordinary end.
      await new Promise<void>((resolve) => this.socket.once('data', () => resolve()))
    }
  }
}
