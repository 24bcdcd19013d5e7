import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { versionOf } from '@keepfirst/cli'
import { codeOf } from '@keepfirst/cli/errors'
import closeWithGrace from 'close-with-grace'
import { readSecrets } from './auth-secret.ts'
import type { Compute } from './compute/compute.ts'
import { Pool } from './compute/pool.ts'
import { type Config, SettingError } from './config.ts'
import { pageHeaders } from './dashboard/headers.ts'
import type { DashboardOptions } from './dashboard/index.ts'
import { openValidationSources } from './email-validation/open.ts'
import type { ValidationSources } from './email-validation/verdict.ts'
import { type ApiParts, createApi } from './http/api.ts'
import { networkReader, readTrustedProxies } from './http/client-address.ts'
import { MemoryBudget } from './http/memory-budget.ts'
import { createServer, type GracefulStop, type Server, type ServerParts } from './http/server.ts'
import { health } from './observe/health.ts'
import { ledgerReporter } from './observe/ledger.ts'
import { createLog, type Log } from './observe/log.ts'
import type { Metrics } from './observe/metrics.ts'
import { PACKAGE } from './package-files.ts'
import type { Context } from './requests/context.ts'
import { dedupe } from './requests/dedupe.ts'
import type { Billable, Endpoint } from './requests/endpoint.ts'
import { createHandler } from './requests/pipeline.ts'
import { validate } from './requests/validate.ts'
import { CLOSE_MS } from './store/create-store.ts'
import { identifiers } from './store/identifiers.ts'
import { type OpenDatabase, openDatabase } from './store/open.ts'
import { PendingFile } from './store/pending-file.ts'
import type { Store } from './store/store.ts'

/**
 * After draining, shutdown waits this long for requests in progress, then ends long work and leaves a moment for its
 * answers to be sent.
 */
const STOP = { graceMs: 25_000, lastCallMs: 4_000 }
/** For Ctrl-C at a terminal and failed starts: work is ended at once, and answers have this long to be sent. */
const STOP_AT_ONCE = { drainMs: 0, graceMs: 0, lastCallMs: 1_000 }
const PRUNE_EVERY_MS = 60_000
const FORWARDED_IGNORED =
  'a request came with X-Forwarded-For and TRUST_PROXY is not set: behind a proxy, all callers share one budget and one count of attempts'
/**
 * The heap, including buffers, may grow by this percentage before V8 collects all of it. By default, that is as little
 * as 16 MB for a server's small heap, so two bodies of 5 MB start a collection, which took a third of such a request's
 * CPU time.
 */
const HEAP_GROWTH_PERCENT = 300
/** Where the build puts the pages. */
const PAGES_FOLDER = fileURLToPath(new URL('dist/pages', PACKAGE))

/**
 * `keepfirst serve`: creates and connects all parts and runs until it is told to stop.
 * @throws UserError when a setting is invalid or the database cannot be opened
 */
export async function serve(config: Config): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  const proxies = readTrustedProxies(config.trustProxy)
  const log = createLog(config.logLevel)
  const networkOf = networkReader(proxies, () => log.warn({}, FORWARDED_IGNORED))
  const metrics = await loadMetrics(config)
  const validationSources = openValidationSources(config, metrics?.countLookup)
  const secrets = await readSecrets(config, randomBytes)
  const database = await openReportingDatabase(config, log, metrics)
  const { store } = database
  const monotonicMs = () => performance.now()
  const compute = new Pool({ ...config, now: monotonicMs, observeWait: metrics?.observeWait, log })
  const routes = createRoutes({
    config,
    store,
    compute,
    validationSources,
    monotonicMs,
    addressSecret: secrets.addresses,
    log,
    metrics,
  })
  const memory = new MemoryBudget(config.bodyMemoryBytes)
  metrics?.watch({
    version: versionOf(new URL('package.json', PACKAGE)),
    ledger: () => store.ledgerState(),
    memory,
    queues: () => compute.queues,
    connections: database.connections,
  })
  const api = createApi({ ...config, routes, networkOf, memory, newRequestId: identifiers(randomBytes), log })
  const pages = loadPages({ settings: config, store, database, log, authSecret: secrets.sessions })
  let isStopping = false
  const probes = health(store, log, () => isStopping)
  const server = createServer({ api, probes, pages, pageHeaders: pageHeaders(config.baseUrl), networkOf, log })
  const prune = (): void => pruneNow({ store, eventDays: config.eventDays, metrics, log })
  const pruning = setInterval(prune, PRUNE_EVERY_MS)
  const stop: Stop = async (how) => {
    isStopping = true
    clearInterval(pruning)
    const endWork = (): void => {
      compute.endWork()
      validationSources.mx.stop()
    }
    await server.stop({ ...how, endWork })
    await compute.close()
    await store.close()
  }
  const ignoreSignals = stopAtSignals(stop, config.drainSeconds * 1_000, log)
  try {
    await openPorts(server, metrics, config)
  } catch (error) {
    ignoreSignals() // or a graceful stop would begin when the event loop has nothing left to do
    await stop(STOP_AT_ONCE)
    throw error
  }
  prune() // the server already accepts requests
  log.info({ address: config.baseUrl }, `Keepfirst is ready at ${config.baseUrl}`)
}

type Stop = (how: Omit<GracefulStop, 'endWork'>) => Promise<void>

/**
 * Stops at a signal or an uncaught error. A second signal ends the process at once, with exit code 1.
 * @param drainMs how long to keep serving before a graceful stop
 * @returns a function that undoes this
 */
function stopAtSignals(stop: Stop, drainMs: number, log: Log): () => void {
  const logger = { error: (err: unknown) => log.error({ err }, 'the server could not stop in an orderly way') }
  const { uninstall } = closeWithGrace(
    { delay: drainMs + STOP.graceMs + STOP.lastCallMs + CLOSE_MS + 1_000, logger },
    async ({ err, signal }) => {
      if (err) log.error({ err }, 'uncaught error: the server stops')
      const isAtTerminal = signal === 'SIGINT' && process.stdin.isTTY
      await stop(isAtTerminal ? STOP_AT_ONCE : { ...STOP, drainMs: err ? 0 : drainMs })
    },
  )
  return uninstall
}

interface Pruning extends Pick<RouteParts, 'metrics' | 'log'> {
  readonly store: Pick<Store, 'prune'>
  readonly eventDays: number
}

/** Begins to remove what is no longer kept; a failure is logged. */
function pruneNow({ store, eventDays, metrics, log }: Pruning): void {
  store.prune(Date.now(), eventDays).then(
    () => metrics?.pruned(Date.now()),
    (err: unknown) => log.error({ err }, 'pruning failed'),
  )
}

/** Loads the pages when they are asked for. */
function loadPages(options: Omit<DashboardOptions, 'now' | 'randomBytes' | 'pagesFolder'>): ServerParts['pages'] {
  return async () => {
    const { dashboard } = await import('./dashboard/index.ts')
    return dashboard({ ...options, now: Date.now, randomBytes, pagesFolder: PAGES_FOLDER })
  }
}

/** Loads the metrics, if they are served: loading them takes a twentieth of the start-up time. */
async function loadMetrics({ metricsPort }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined
  const { createMetrics } = await import('./observe/metrics.ts')
  return createMetrics()
}

/** The database, with its ledger reporting to log and metrics. */
function openReportingDatabase(config: Config, log: Log, metrics: Metrics | undefined): Promise<OpenDatabase> {
  return openDatabase(config.databaseUrl, randomBytes, {
    connections: config.databaseConnections,
    isPooled: config.isDatabasePooled,
    pendingFile: new PendingFile(config.pendingFile),
    report: ledgerReporter(log, metrics),
  })
}

interface RouteParts extends Pick<Context, 'store' | 'addressSecret' | 'monotonicMs' | 'log'> {
  readonly config: Config
  readonly compute: Compute
  readonly validationSources: ValidationSources
  readonly metrics: Metrics | undefined
}

/** The request pipelines of the API by path. */
function createRoutes({ config, compute, validationSources, metrics, ...parts }: RouteParts): ApiParts['routes'] {
  const context: Context = {
    ...parts,
    baseUrl: config.baseUrl,
    now: Date.now,
    observe(call) {
      metrics?.observe(call)
      parts.log[call.status < 500 ? 'info' : 'error'](call, 'call')
    },
  }
  const validation = { ...config, sources: validationSources, compute, dnsMs: config.validateDnsSeconds * 1_000 }
  const route = <Parsed extends Billable>(endpoint: Endpoint<Parsed>) =>
    [endpoint.path, createHandler(endpoint, context)] as const
  return new Map([route(dedupe(compute, config)), route(validate(validation))])
}

/** @throws SettingError when one cannot be opened */
async function openPorts(server: Server, metrics: Metrics | undefined, config: Config): Promise<void> {
  await listen(server, config)
  if (metrics !== undefined) await listenForMetrics(metrics.server(), config)
}

async function listen(server: Server, { port, host }: Config): Promise<void> {
  try {
    await server.listen(port, host)
  } catch (error) {
    throw new SettingError(`PORT ${port} cannot be opened on ${host} (${codeOf(error) ?? error})`)
  }
}

async function listenForMetrics(server: HttpServer, { metricsPort, host }: Config): Promise<void> {
  server.listen(metricsPort, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new SettingError(`METRICS_PORT ${metricsPort} cannot be opened on ${host} (${codeOf(error) ?? error})`)
  }
  server.unref() // it does not delay shutdown
}
