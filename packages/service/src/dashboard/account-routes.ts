import {
  CALL_STATUSES,
  type CallsAnswer,
  type KeyMadeAnswer,
  type KeysAnswer,
  PLANS,
  type SessionAnswer,
  type UsageAnswer,
} from '@keepfirst/protocol'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { exportAccount } from '../accounts/export.ts'
import { issueKey } from '../accounts/keys.ts'
import { lastDaysOf, resetOf } from '../accounts/usage.ts'
import { BackoffLimiter } from '../limits/backoff-limiter.ts'
import { monthNamed, monthOf } from '../store/periods.ts'
import type { Account, EventQuery } from '../store/store.ts'
import { problem, readInput } from './answers.ts'
import type { DashboardContext } from './context.ts'
import { Exports } from './exports.ts'
import { forAccount, signedIn } from './signed-in.ts'
import { accountView, callsFile, callViews, dayViews, keyUsageViews, keyView } from './views.ts'

/** Limits keys made per account: each takes a row in the database, even after it is revoked. */
const KEYS_MADE = { free: 60, firstWaitSeconds: 60, longestWaitSeconds: 3_600, forgottenAfterSeconds: 3_600 }
/** How many calls the page shows: the latest of the month. */
const CALLS_SHOWN = 500

const NEW_KEY = z.object({ name: z.string().trim().min(1) })
const KEY_PATH = z.object({ id: z.string().min(1).max(100) })
const MONTH = z.string().refine((text) => monthNamed(text) !== undefined)
const MONTH_QUERY = z.object({ month: MONTH.optional() })
const CALLS_QUERY = z.object({
  month: MONTH.optional(),
  key: z.string().min(1).max(100).optional(),
  status: z
    .union([
      z.enum(CALL_STATUSES),
      z
        .string()
        .regex(/^[1-5]\d\d$/)
        .transform(Number),
    ])
    .optional(),
})

/** What signed-in users can see and do: with their own keys and usage only. */
export function accountRoutes(server: FastifyInstance, context: DashboardContext): void {
  sessionRoute(server, context)
  keyRoutes(server, context)
  usageRoutes(server, context)
  exportRoutes(server, context)
}

function sessionRoute(server: FastifyInstance, context: DashboardContext): void {
  const { settings } = context
  server.get('/app/session', async (request) => {
    const account = await signedIn(context, request)
    return {
      account: account === undefined ? null : accountView(account),
      signUp: settings.signup,
      contact: settings.contact ?? null,
      baseUrl: settings.baseUrl,
    } satisfies SessionAnswer
  })
}

function keyRoutes(server: FastifyInstance, context: DashboardContext): void {
  const { store, now } = context
  const keysMade = new BackoffLimiter(KEYS_MADE)

  server.get(
    '/app/account/keys',
    forAccount(context, async (account) => {
      const keys = await store.keysOf(account.id)
      return { keys: keys.map(keyView).toReversed() } satisfies KeysAnswer
    }),
  )

  server.post(
    '/app/account/keys',
    forAccount(context, async (account, request, reply) => {
      const read = readInput(NEW_KEY, request.body, reply)
      if (!read.ok) return read.answer
      const retryAfter = keysMade.take(account.id, now())
      if (retryAfter > 0) return problem(reply, 'too many attempts', { retryAfter })
      const made = await issueKey(store, {
        accountId: account.id,
        name: read.input.name,
        tokenPrefix: context.settings.tokenPrefix,
        seen: account,
        now: now(),
        randomBytes: context.randomBytes,
      })
      if (made === 'bad name') return problem(reply, 'invalid input', { field: 'name' })
      if (made === 'no account') return problem(reply, 'signed out')
      if (made === 'key limit') return problem(reply, 'key limit')
      reply.code(201)
      return { key: keyView(made.key), token: made.token } satisfies KeyMadeAnswer
    }),
  )

  server.post(
    '/app/account/keys/:id/revoke',
    forAccount(context, async (account, request, reply) => {
      const read = readInput(KEY_PATH, request.params, reply)
      const key = read.ok ? await store.revokeKey(read.input.id, now(), account.id) : undefined
      return key === undefined ? problem(reply, 'not found') : keyView(key)
    }),
  )
}

function usageRoutes(server: FastifyInstance, context: DashboardContext): void {
  const { store, now } = context

  server.get(
    '/app/account/usage',
    forAccount(context, async (account, request, reply) => {
      const read = readInput(MONTH_QUERY, request.query, reply)
      if (!read.ok) return read.answer
      const query = { accountId: account.id, month: read.input.month ?? monthOf(now()) }
      const daysOf = oncePerMonth((month) => store.days({ accountId: account.id, month }))
      const days = await daysOf(query.month)
      return {
        month: query.month,
        used: await store.usedUnits(account.id, query.month),
        limit: PLANS[account.plan].allowance.units,
        resets: resetOf(now()).toISOString(),
        days: dayViews(days),
        keys: keyUsageViews(days, await store.keysOf(account.id)),
        lastDays: await lastDaysOf(daysOf, now()),
      } satisfies UsageAnswer
    }),
  )

  server.get(
    '/app/account/calls',
    forAccount(context, async (account, request, reply) => {
      const read = readInput(CALLS_QUERY, request.query, reply)
      if (!read.ok) return read.answer
      const events = await store.newestEvents({ ...eventQuery(account, read.input, now()), limit: CALLS_SHOWN + 1 })
      const shown = events.slice(-CALLS_SHOWN).toReversed()
      const calls = callViews(shown, await store.keysOf(account.id))
      return { calls, more: events.length > CALLS_SHOWN } satisfies CallsAnswer
    }),
  )
}

/** The same function, but evaluated only once per month. */
function oncePerMonth<Report>(read: (month: string) => Promise<Report>): (month: string) => Promise<Report> {
  const reports = new Map<string, Promise<Report>>()
  return (month) => {
    const report = reports.get(month) ?? read(month)
    reports.set(month, report)
    return report
  }
}

/** Downloads of everything that is stored about a user. */
function exportRoutes(server: FastifyInstance, context: DashboardContext): void {
  const { store, now } = context
  const exports = new Exports()

  server.get(
    '/app/account/calls.csv',
    forAccount(context, async (account, request, reply) => {
      const read = readInput(CALLS_QUERY, request.query, reply)
      if (!read.ok) return read.answer
      const query = eventQuery(account, read.input, now())
      const keys = await store.keysOf(account.id)
      return exports.send(reply, account.id, {
        name: `keepfirst-calls-${query.month}.csv`,
        type: 'text/csv; charset=utf-8',
        pieces: callsFile(store.eventPages(query), keys),
      })
    }),
  )

  server.get(
    '/app/account/export',
    forAccount(context, async (account, _request, reply) =>
      exports.send(reply, account.id, {
        name: 'keepfirst-account.json',
        type: 'application/json; charset=utf-8',
        pieces: lines(exportAccount({ store, reports: context.database.reports }, account, now())),
      }),
    ),
  )
}

/** Appends a line break to each piece. */
async function* lines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield `${piece}\n`
}

function eventQuery({ id }: Account, { month, key, status }: z.infer<typeof CALLS_QUERY>, now: number): EventQuery {
  return { accountId: id, month: month ?? monthOf(now), keyId: key, status }
}
