import {
  type CallsAnswer,
  FIELD_LIMITS,
  type KeyMadeAnswer,
  type KeysAnswer,
  PLANS,
  type SessionAnswer,
  type UsageAnswer,
} from '@keepfirst/protocol'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { createKey } from '../accounts/keys.ts'
import { monthNamed, resetOf } from '../accounts/usage.ts'
import { monthOf } from '../store/periods.ts'
import type { Account } from '../store/store.ts'
import { problem, readInput } from './answers.ts'
import { Attempts } from './attempts.ts'
import type { DashboardContext } from './context.ts'
import { forAccount, signedIn } from './signed-in.ts'
import { accountView, callsFile, callViews, dayViews, keyView } from './views.ts'

/** Keys made and revoked leave a line in the database each. */
const KEYS_MADE = { free: 60, firstWaitSeconds: 60, longestWaitSeconds: 3_600, forgottenAfterSeconds: 3_600 }
/** Calls that the page shows, and that its file holds: the latest of the month. */
const CALLS_SHOWN = 500
const CALLS_IN_FILE = 100_000

const NEW_KEY = z.object({ name: z.string().trim().min(1).max(FIELD_LIMITS.keyName) })
const KEY_PATH = z.object({ id: z.string().min(1).max(100) })
const MONTH_QUERY = z.object({
  month: z
    .string()
    .refine((text) => monthNamed(text) !== undefined)
    .optional(),
})

/** What a person who is signed in sees and does: their keys and their usage, nobody else's. */
export function accountRoutes(server: FastifyInstance, context: DashboardContext): void {
  sessionRoute(server, context)
  keyRoutes(server, context)
  usageRoutes(server, context)
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
  const keysMade = new Attempts(KEYS_MADE)

  server.get(
    '/app/account/keys',
    forAccount(context, async (account) => {
      const keys = await store.listKeys(account.id)
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
      const made = await createKey(store, {
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
      const [months, days] = await Promise.all([store.months(query), store.days(query)])
      return {
        month: query.month,
        used: months[0]?.used ?? 0,
        limit: PLANS[account.plan].allowance.units,
        resets: resetOf(now()).toISOString(),
        days: dayViews(days),
      } satisfies UsageAnswer
    }),
  )

  const calls = async (account: Account, month: string | undefined, limit: number) => {
    const query = { accountId: account.id, month: month ?? monthOf(now()), limit }
    const [events, keys] = await Promise.all([store.events(query), store.listKeys(account.id)])
    return callViews(events, keys)
  }

  server.get(
    '/app/account/calls',
    forAccount(context, async (account, request, reply) => {
      const read = readInput(MONTH_QUERY, request.query, reply)
      if (!read.ok) return read.answer
      return { calls: await calls(account, read.input.month, CALLS_SHOWN) } satisfies CallsAnswer
    }),
  )

  server.get(
    '/app/account/calls.csv',
    forAccount(context, async (account, request, reply) => {
      const read = readInput(MONTH_QUERY, request.query, reply)
      if (!read.ok) return read.answer
      const month = read.input.month ?? monthOf(now())
      reply.type('text/csv; charset=utf-8')
      reply.header('content-disposition', `attachment; filename="keepfirst-calls-${month}.csv"`)
      return callsFile(await calls(account, month, CALLS_IN_FILE))
    }),
  )
}
