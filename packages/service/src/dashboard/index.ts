import { describeApi, type SiteFacts } from '@keepfirst/protocol'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { limitConcurrency } from '../http/concurrency-limit.ts'
import { logFault } from '../http/pages.ts'
import type { Log } from '../observe/log.ts'
import { accountRoutes } from './account-routes.ts'
import { problem } from './answers.ts'
import { authRoutes } from './auth-routes.ts'
import { createAuthService } from './auth-service.ts'
import type { DashboardContext, DashboardSettings } from './context.ts'
import { HashingQueue } from './hashing-queue.ts'
import { refuseForeignOrigins, trustedOrigins } from './origin.ts'
import { pages } from './pages.ts'
import { passwordRoutes } from './password-routes.ts'
import { SignInLimiter } from './sign-in-limiter.ts'
import { whatIsStored } from './stored.ts'

/** All requests of the page under `/app/` are small. */
const BODY_BYTES = 8 * 1_024

/** Waiting requests (for their turn at hashing, or the minimum time of a sign-up) hold memory. */
const CONCURRENCY_LIMIT = { perNetwork: 128, total: 1_024 }

export interface DashboardOptions extends Omit<DashboardContext, 'authService' | 'limiter' | 'hashing'> {
  /** Signs session cookies; at least 32 characters, the same on every instance. */
  readonly authSecret: string
  /** The folder of the built pages. */
  readonly pagesFolder: string
  readonly log: Log
}

/** The pages, and the routes behind `/app/keys`: sign-up, sessions, keys, usage. */
export function dashboard(options: DashboardOptions): FastifyPluginAsync {
  const { settings, log } = options
  const origins = trustedOrigins(settings.baseUrl)

  return async (server) => {
    const authService = await createAuthService({
      store: options.store,
      database: options.database,
      secret: options.authSecret,
      baseUrl: settings.baseUrl,
      signup: settings.signup,
      trustedOrigins: origins,
      log,
      now: options.now,
    })
    await server.register(
      pages({ folder: options.pagesFolder, description: describeApi(settings.baseUrl), facts: factsOf(settings) }),
    )
    await server.register(async (app) => {
      onlyJson(app)
      app.addHook('onRequest', refuseForeignOrigins(origins))
      app.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store')
      })
      app.addHook(
        'onRequest',
        limitConcurrency(CONCURRENCY_LIMIT, (reply) => problem(reply, 'busy')),
      )
      app.addHook('onResponse', async (request, { statusCode: status }) => {
        if (status >= 500) log.error({ route: request.routeOptions.url, status }, 'a page answered with an error')
      })
      app.setErrorHandler(async (error, request, reply) => {
        if (statusOf(error) < 500) return problem(reply, 'invalid input')
        logFault(error, request, log)
        return problem(reply, 'internal error')
      })
      const limiter = new SignInLimiter(options.now)
      const context: DashboardContext = { ...options, authService, limiter, hashing: new HashingQueue() }
      authRoutes(app, context)
      passwordRoutes(app, context)
      accountRoutes(app, context)
    })
  }
}

/** What the pages say about this server. */
function factsOf({ baseUrl, contact, legalUrl, eventDays }: DashboardSettings): SiteFacts {
  return { baseUrl, contact: contact ?? null, legalUrl: legalUrl ?? null, stored: whatIsStored(eventDays) }
}

/** No other content type is read, in particular none that a form on another site can send without a preflight. */
function onlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: BODY_BYTES },
    app.getDefaultJsonParser('error', 'error'),
  )
}

function statusOf(error: unknown): number {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500
}
