import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { LedgerState, Store } from '../store/store.ts'
import type { Log } from './log.ts'

type Health = { readonly code: number; readonly body: { readonly status: string; readonly backlog?: LedgerState } }

/**
 * `/healthz`: the process is running. `/readyz`: commits reach the disk (checked at most once a second, however many
 * ask) and the server is not stopping. `backlog` is the number of writes that are waiting.
 */
export function health(
  store: Pick<Store, 'ready' | 'ledgerState'>,
  log: Log,
  isStopping: () => boolean,
): ReadonlyMap<string, RequestListener> {
  let wasReady = true
  const isWritable = async (): Promise<boolean> => {
    try {
      await store.ready()
      if (!wasReady) log.info('the database can be written again')
      wasReady = true
    } catch (err) {
      if (wasReady) log.error({ err }, 'the database cannot be written')
      wasReady = false
    }
    return wasReady
  }
  const readiness = async (): Promise<Health> => {
    if (isStopping()) return { code: 503, body: { status: 'stopping' } }
    const backlog = store.ledgerState()
    if (await isWritable()) return { code: 200, body: { status: 'ready', backlog } }
    return { code: 503, body: { status: 'the database does not answer', backlog } }
  }
  return new Map([
    ['/healthz', answering(async () => ({ code: 200, body: { status: 'ok' } }))],
    ['/readyz', answering(readiness)],
  ])
}

function answering(look: () => Promise<Health>): RequestListener {
  return async (_request: IncomingMessage, response: ServerResponse) => {
    const { code, body } = await look()
    const text = JSON.stringify(body)
    response
      .writeHead(code, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) })
      .end(text)
  }
}
