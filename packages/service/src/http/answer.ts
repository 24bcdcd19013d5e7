import type { IncomingMessage } from 'node:http'
import { API_HEADERS, type Refusal } from '@keepfirst/protocol'
import type { Reply } from '../requests/call.ts'
import { hasBody } from './body.ts'
import { DRAIN, type Exchange } from './connection.ts'

const encoder = new TextEncoder()

/** Sends a result or a refusal with exactly the headers of specification 4.4. */
export function sendReply(exchange: Exchange, reply: Reply): void {
  if (reply.kind === 'none') return
  if (reply.kind === 'result') {
    send(exchange, 200, { ...API_HEADERS, 'Content-Length': reply.body.byteLength }, reply.body)
    return
  }
  const body = encoder.encode(JSON.stringify(reply.body))
  const { retryAfter } = reply.body
  const retry = retryAfter === undefined ? {} : { 'Retry-After': retryAfter }
  send(exchange, reply.status, { ...API_HEADERS, ...retry, 'Content-Length': body.byteLength }, body)
}

/** Answers a preflight (specification 4.2): the headers, and no body. */
export function sendPreflight(exchange: Exchange): void {
  send(exchange, 204, API_HEADERS, undefined)
}

/** A refusal as it goes out where Node could make no request of what came: the four headers, and the end of the connection. */
export function rawRefusal(refusal: Refusal, statusText: string): string {
  const body = JSON.stringify(refusal.body)
  const headers = { ...API_HEADERS, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${refusal.status} ${statusText}\r\n${lines.join('')}\r\n${body}`
}

function send(
  exchange: Exchange,
  status: number,
  headers: Record<string, string | number>,
  body: Uint8Array | undefined,
): void {
  if (exchange.isGone) return
  const { request, response } = exchange
  // The body that was asked leave for may come or not: nothing that follows on this connection can be told apart.
  if (exchange.awaitsContinue) response.shouldKeepAlive = false
  response.writeHead(status, headers)
  if (request.complete || !hasBody(request)) {
    response.end(body)
    return
  }
  // The answer goes out whole at once, but ends only after the request has: Node closes connections at the
  // end of an answer, and a client that is still sending would see a reset instead of it (RFC 9112, 9.6).
  response.flushHeaders()
  if (body !== undefined) response.write(body)
  drain(request, () => response.end())
}

/** Takes in and throws away what is still coming, up to a bound; then cuts the connection. */
function drain(request: IncomingMessage, atEnd: () => void): void {
  let leftBytes = DRAIN.bytes
  const cut = (): void => {
    request.socket.destroy()
  }
  const timer = setTimeout(cut, DRAIN.milliseconds)
  request.once('close', () => clearTimeout(timer))
  request.once('end', atEnd)
  request.on('data', (chunk: Buffer) => {
    leftBytes -= chunk.byteLength
    if (leftBytes < 0) cut()
  })
  request.resume()
}
