import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PLANS, refuse } from '@keepfirst/protocol'
import type { FastifyPluginAsync } from 'fastify'
import { ClientDisconnected } from '../../src/client-connection.ts'
import { createApi } from '../../src/http/api.ts'
import { networkReader, readTrustedProxies } from '../../src/http/client-address.ts'
import { limitConcurrency } from '../../src/http/concurrency-limit.ts'
import { MemoryBudget } from '../../src/http/memory-budget.ts'
import { createServer, type GracefulStop, type Server, type Timeouts } from '../../src/http/server.ts'
import type { Call, Reply } from '../../src/requests/call.ts'

/** The server with the handler of a test. */
export interface ApiServer {
  readonly port: number
  readonly server: Server
  readonly memory: MemoryBudget
  readonly faults: unknown[]
}

/** Stands for the headers of the pages. */
export const PAGE_HEADERS: ReadonlyMap<string, string> = new Map([['x-frame-options', 'DENY']])

const probes = new Map([['/healthz', (_: unknown, response: ServerResponse) => void response.end('well')]])

const longTimeouts: Timeouts = { headersMs: 60_000, requestMs: 60_000, stalledMs: 60_000, checkEveryMs: 1_000 }

export async function startApi(
  handle: (call: Call) => Promise<Reply> = echo,
  { memoryBytes = 64 * 1_024 * 1_024, timeouts = longTimeouts, trustProxy = '', pages = async () => fewPages } = {},
): Promise<ApiServer> {
  const networkOf = networkReader(readTrustedProxies(trustProxy), () => {})
  const memory = new MemoryBudget(memoryBytes)
  const faults: unknown[] = []
  const log = { debug() {}, info() {}, warn() {}, error: (fault: unknown) => void faults.push(fault) }
  const routes = new Map([['/api/dedupe', (call: Call) => handle(call).catch(replyOrThrow)]])
  const api = createApi({ routes, baseUrl: 'https://dedupe.example', networkOf, memory, newRequestId: () => 'r', log })
  const server = createServer({ api, probes, pages, pageHeaders: PAGE_HEADERS, networkOf, log, timeouts })
  const { port }: AddressInfo = await server.listen(0, '127.0.0.1')
  return { port, server, memory, faults }
}

/** Handles a disconnected client like the pipeline does. */
function replyOrThrow(error: unknown): Reply {
  if (error instanceof ClientDisconnected) return { kind: 'none' }
  throw error
}

/** Reads the body like the pipeline does for callers without a key, and answers with its length. */
export async function echo(call: Call): Promise<Reply> {
  const { keyless } = PLANS
  if ((call.declaredBytes ?? 0) > keyless.bodyBytes) return refuse.declaredTooLarge(keyless)
  const body = await call.readBody(keyless.bodyBytes, call.network)
  if (body === 'over') return refuse.bodyTooLarge(keyless)
  if (body === 'busy') return refuse.busy()
  return result({ bytes: body.byteLength })
}

interface Gate {
  handle(call: Call): Promise<Reply>
  /** Resolves when the first request is being handled. */
  readonly entered: Promise<Call>
  go(): void
}

/** A handler whose requests wait, before or after their bodies are read, until the test calls `go`. */
export function gate(waits: 'before reading' | 'after reading' = 'before reading'): Gate {
  let go = (): void => {}
  let enter = (_: Call): void => {}
  const open = new Promise<void>((resolve) => {
    go = resolve
  })
  const entered = new Promise<Call>((resolve) => {
    enter = resolve
  })
  return {
    entered,
    go,
    async handle(call) {
      enter(call)
      if (waits === 'before reading') await open
      const reply = await echo(call)
      await open
      return reply
    },
  }
}

export function result(answer: unknown): Reply {
  return { kind: 'result', body: new TextEncoder().encode(JSON.stringify(answer)) }
}

/** A stop that closes everything at once, except for the given settings. */
export function stopOf(how: Partial<GracefulStop> = {}): GracefulStop {
  return { drainMs: 0, graceMs: 0, endWork() {}, lastCallMs: 0, ...how }
}

export function cut({ server }: ApiServer): Promise<void> {
  return server.stop(stopOf())
}

const fewPages: FastifyPluginAsync = async (app) => {
  app.get('/', async () => 'a page')
  app.get('/api', async () => 'the reference')
  app.get('/api/openapi.json', async () => ({ openapi: '3.1.0' }))
  app.get('/network', async (request) => request.network)
  app.post('/form', async (request) => request.body)
  app.get('/late', async () => new Promise((resolve) => setImmediate(() => resolve('late'))))
  app.get('/late-fault', async (request) => {
    await once(request.raw.socket, 'close')
    throw new Error('nobody is there')
  })
  await app.register(async (limited) => {
    limited.addHook(
      'onRequest',
      limitConcurrency({ perNetwork: 2, total: 3 }, (reply) => {
        reply.code(503)
        return {}
      }),
    )
    limited.get('/limited/wait', () => new Promise(() => {}))
    limited.get('/limited/quick', async () => 'quick')
  })
  app.get('/fault', async () => {
    throw new Error('as asked')
  })
}
