import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { LedgerState } from '../store/store.ts'

/** What logs and metrics may know of a call that ended. */
export interface CallSummary {
  readonly path: string
  readonly plan: string
  readonly status: number
  /** Units that stay charged. */
  readonly units: number
  readonly durationMs: number
}

/** Counters for Prometheus. Labels are paths, plans and statuses: nothing that a caller could choose freely. */
export interface Metrics {
  readonly observe: (call: CallSummary) => void
  /** One commit of the ledger. */
  readonly observeCommit: (commit: {
    readonly charges: number
    readonly notes: number
    readonly durationMs: number
  }) => void
  /** The answer to a commit was lost. */
  readonly countLost: () => void
  /** What waits to be written is read when metrics are. */
  readonly watchLedger: (state: () => LedgerState) => void
  /** The text format that Prometheus reads, on `/metrics` of a server of its own. */
  readonly server: () => Server
}

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
    help: 'Units charged and not given back, by path and plan',
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
    server: () =>
      createServer(async (request, response) => {
        if (request.url !== '/metrics') return response.writeHead(404).end()
        const text = await register.metrics()
        return response.writeHead(200, { 'Content-Type': register.contentType }).end(text)
      }),
  }
}

function ledgerMetrics(register: Registry): Pick<Metrics, 'observeCommit' | 'countLost' | 'watchLedger'> {
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
    help: 'Commits whose answer was lost; what became of them was asked for',
    registers,
  })
  return {
    observeCommit({ charges: decided, durationMs }) {
      seconds.observe(durationMs / 1_000)
      charges.observe(decided)
    },
    countLost: () => lost.inc(),
    watchLedger(state) {
      new Gauge({
        name: 'keepfirst_ledger_backlog',
        help: 'What waits to be written to the ledger: charges, notes (completions, refunds and refusals), refunds alone',
        labelNames: ['kind'],
        registers,
        collect() {
          for (const [kind, count] of Object.entries(state())) this.set({ kind }, count)
        },
      })
    },
  }
}
