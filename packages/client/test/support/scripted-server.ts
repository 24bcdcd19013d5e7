import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** How the server handles one request. */
export type Turn = (response: ServerResponse, request: IncomingMessage) => void

interface ReceivedRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server that follows a script: one turn per request, the last one repeated. */
export interface ScriptedServer {
  readonly baseUrl: string
  readonly received: readonly ReceivedRequest[]
  /** Clears `received` and starts with the first of these turns. */
  play(...turns: Turn[]): void
  close(): Promise<void>
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  let script: readonly Turn[] = []
  const received: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, url, headers } = request
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
      script[Math.min(received.length, script.length) - 1]?.(response, request)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    received,
    play: (...turns) => {
      script = turns
      received.length = 0
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/** Answers with a status, a body (a string is sent unchanged, anything else as JSON) and headers. */
export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Turn {
  return (response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text)
  }
}

export const silence: Turn = () => {}
export const closeConnection: Turn = (response) => response.destroy()
export const truncatedAnswer: Turn = (response) => {
  response.writeHead(200, { 'Content-Length': '100' })
  response.write('{"result":["a"', () => response.destroy())
}
