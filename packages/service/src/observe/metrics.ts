import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ConnectionCounts } from '../store/postgres-connections.ts'
import type { LedgerState } from '../store/store.ts'

/** What logs and metrics may know about a finished call. */
export interface CallSummary {
  /** Only for the log. */
  readonly requestId: string
  readonly path: string
  readonly plan: string
  readonly status: number
  /** Units that remain charged. */
  readonly units: number
  readonly durationMs: number
  /** What the caller was told, if the service failed (5xx). */
  readonly error?: string
}

export type QueueName = 'exact' | 'fuzzy'
/** Requests waiting for a thread, and those that have one. */
export type QueueCounts = Readonly<Record<'waiting' | 'running', number>>

/** Values that are read when the metrics are requested. */
export interface Readings {
  readonly version: string
  readonly ledger: () => LedgerState
  /** Bytes that requests hold, and their limit. */
  readonly memory: { readonly heldBytes: number; readonly limitBytes: number }
  readonly queues: () => Readonly<Record<QueueName, QueueCounts>>
  /** Undefined if the database has no pool. */
  readonly connections: () => ConnectionCounts | undefined
}

/** Counters for Prometheus. Labels are paths, plans and statuses: nothing that a caller could choose freely. */
export interface Metrics {
  readonly observe: (call: CallSummary) => void
  /** One commit of the ledger. */
  readonly observeCommit: (commit: { readonly charges: number; readonly durationMs: number }) => void
  /** The outcome of a commit is unknown. */
  readonly countLost: () => void
  /** A request has waited for its turn. */
  readonly observeWait: (queue: QueueName, waitMs: number) => void
  /** A DNS look-up has ended; null if it failed. */
  readonly countLookup: (presence: boolean | null) => void
  /** Old data was pruned; milliseconds since 1970. */
  readonly pruned: (at: number) => void
  readonly watch: (readings: Readings) => void
  /** Serves the Prometheus text format on `/metrics`, on a separate port. */
  readonly server: () => Server
}

/** Creates the metrics at zero, with Node.js's own, in a registry of their own. */
export function createMetrics(): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const labelNames = ['path', 'plan', 'status'] as const
  const requests = new Counter({
    name: 'keepfirst_requests_total',
    help: 'API requests that ended, by path, plan and status',
    labelNames,
    registers: [register],
  })
  const units = new Counter({
    name: 'keepfirst_units_total',
    help: 'Units charged and not refunded, by path and plan',
    labelNames: ['path', 'plan'],
    registers: [register],
  })
  const seconds = new Histogram({
    name: 'keepfirst_request_seconds',
    help: 'Time from the headers of an API request to its answer',
    labelNames: ['path'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [register],
  })
  return {
    observe: ({ path, plan, status, units: charged, durationMs }) => {
      requests.inc({ path, plan, status })
      if (charged > 0) units.inc({ path, plan }, charged)
      seconds.observe({ path }, durationMs / 1_000)
    },
    ...ledgerMetrics(register),
    ...workMetrics(register),
    watch: (readings) => registerGauges(register, readings),
    server: () =>
      createServer(async (request, response) => {
        if (request.url !== '/metrics') return response.writeHead(404).end()
        const text = await register.metrics()
        return response.writeHead(200, { 'Content-Type': register.contentType }).end(text)
      }),
  }
}

function ledgerMetrics(register: Registry): Pick<Metrics, 'observeCommit' | 'countLost' | 'pruned'> {
  const registers = [register]
  const seconds = new Histogram({
    name: 'keepfirst_ledger_commit_seconds',
    help: 'Time that one commit of the ledger takes',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  })
  const charges = new Histogram({
    name: 'keepfirst_ledger_commit_charges',
    help: 'Charges that one commit of the ledger decides',
    buckets: [0, 1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  const lost = new Counter({
    name: 'keepfirst_ledger_answers_lost_total',
    help: 'Commits whose answer was lost, so that their outcome was queried',
    registers,
  })
  const pruned = new Gauge({
    name: 'keepfirst_prune_last_success_timestamp_seconds',
    help: 'When old events and keyless days were last removed',
    registers,
  })
  return {
    observeCommit({ charges: decided, durationMs }) {
      seconds.observe(durationMs / 1_000)
      charges.observe(decided)
    },
    countLost: () => lost.inc(),
    pruned: (at) => pruned.set(at / 1_000),
  }
}

function workMetrics(register: Registry): Pick<Metrics, 'observeWait' | 'countLookup'> {
  const registers = [register]
  const waits = new Histogram({
    name: 'keepfirst_queue_wait_seconds',
    help: 'Time that requests wait for a thread, by queue',
    labelNames: ['queue'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers,
  })
  const lookups = new Counter({
    name: 'keepfirst_mx_lookups_total',
    help: 'Look-ups of mail exchangers that ended, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  return {
    observeWait: (queue, waitMs) => waits.observe({ queue }, waitMs / 1_000),
    countLookup: (presence) =>
      lookups.inc({ outcome: presence === null ? 'unknown' : presence ? 'present' : 'absent' }),
  }
}

function registerGauges(register: Registry, { version, ledger, memory, queues, connections }: Readings): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [register],
      collect: function () {
        this.set(read())
      },
    })
  }
  const gauges = (name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void => {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [register],
      collect() {
        for (const [value, count] of Object.entries(read())) this.set({ [label]: value }, count)
      },
    })
  }
  gauges('keepfirst_build_info', 'Always 1', 'version', () => ({ [version]: 1 }))
  gauges(
    'keepfirst_ledger_backlog',
    'Entries waiting to be written to the ledger: charges, notes (completions, refunds and refusals), and the refunds among them',
    'kind',
    () => ({ ...ledger() }),
  )
  gauge('keepfirst_open_body_bytes', 'Bytes that requests hold in memory', () => memory.heldBytes)
  gauge(
    'keepfirst_body_limit_bytes',
    'Bytes that requests may hold in memory (BODY_MEMORY_MB)',
    () => memory.limitBytes,
  )
  for (const state of ['waiting', 'running'] as const)
    gauges(`keepfirst_queue_${state}`, `Requests that are ${state}, by queue`, 'queue', () => ({
      exact: queues().exact[state],
      fuzzy: queues().fuzzy[state],
    }))
  gauges(
    'keepfirst_database_connections',
    'Connections to PostgreSQL, used and idle, and queries waiting for one',
    'state',
    () => ({ ...connections() }),
  )
}
