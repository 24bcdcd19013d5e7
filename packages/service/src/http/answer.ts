import type { IncomingMessage, ServerResponse } from 'node:http'
import { API_HEADERS, type Refusal, unreachable } from '@keepfirst/protocol'
import type { Reply } from '../requests/call.ts'
import { hasBody } from './body.ts'
import { DRAIN, type HttpExchange } from './connection.ts'

/** The four headers of specification 4.4, in a form that Node uses without copying. */
const HEADERS: readonly string[] = Object.entries(API_HEADERS).flat()

/** An answer up to this size is sent in one piece with its head; larger ones are not copied for that. */
const ONE_PIECE_BYTES = 16 * 1_024

/** Sends a result or a refusal with exactly the headers of specification 4.4. */
export function sendReply(exchange: HttpExchange, reply: Reply): void {
  switch (reply.kind) {
    case 'none':
      break
    case 'result':
      send(exchange, 200, { body: reply.body })
      break
    case 'refusal':
      send(exchange, reply.status, {
        body: Buffer.from(JSON.stringify(reply.body)),
        retryAfter: reply.body.retryAfter,
      })
      break
    default:
      unreachable(reply)
  }
}

/** Answers a preflight (specification 4.2) with the headers and no body. */
export function sendPreflight(exchange: HttpExchange): void {
  send(exchange, 204, {})
}

/**
 * A refusal as raw text, for input that Node cannot parse as a request: the four headers, and the end of the
 * connection.
 */
export function rawRefusal(refusal: Refusal, statusText: string): string {
  const body = JSON.stringify(refusal.body)
  const headers = { ...API_HEADERS, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${refusal.status} ${statusText}\r\n${lines.join('')}\r\n${body}`
}

interface Content {
  readonly body?: Uint8Array
  readonly retryAfter?: number | undefined
}

function send(exchange: HttpExchange, status: number, { body, retryAfter }: Content): void {
  if (exchange.isDisconnected) return
  const { request, response } = exchange
  // The client may or may not send its body now, so nothing that follows on this connection can be interpreted.
  if (exchange.awaitsContinue) response.shouldKeepAlive = false
  const headers = HEADERS.slice()
  if (body !== undefined) headers.push('Content-Length', String(body.byteLength))
  if (retryAfter !== undefined) headers.push('Retry-After', String(retryAfter))
  response.writeHead(status, headers)
  if (request.complete || !hasBody(request)) {
    end(response, body)
    return
  }
  // The answer is sent at once but ends only after the request has: Node closes connections at the end of an answer,
  // and a client that is still sending would see a reset instead of it (RFC 9112, 9.6).
  response.flushHeaders()
  if (body !== undefined) response.write(body)
  drain(request, () => response.end())
}

/** Node joins the head only with a string body: as Latin-1, each byte is a character and keeps its value. */
function end(response: ServerResponse, body: Uint8Array | undefined): void {
  if (body === undefined || body.byteLength > ONE_PIECE_BYTES) response.end(body)
  else response.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'), 'latin1')
}

/** Reads and discards what is still arriving, up to a bound; then cuts the connection. */
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
