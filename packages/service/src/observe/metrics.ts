import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

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
    server: () =>
      createServer(async (request, response) => {
        if (request.url !== '/metrics') return response.writeHead(404).end()
        const text = await register.metrics()
        return response.writeHead(200, { 'Content-Type': register.contentType }).end(text)
      }),
  }
}
