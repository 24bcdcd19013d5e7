import { resolve } from 'node:path'
import { UserError } from '@keepfirst/cli/errors'
import { z } from 'zod'

/** Everything that an operator can set, validated once at start. Names and defaults are in `docs/operate.md`. */
export interface Config {
  readonly host: string
  readonly port: number
  /** The public address without a trailing slash; used in messages and pages. */
  readonly baseUrl: string
  /** `sqlite:` and an absolute path, or `postgres://…`. */
  readonly databaseUrl: string
  /** The total number of this instance's connections to PostgreSQL. */
  readonly databaseConnections: number
  /** PostgreSQL is behind a pooler in transaction mode. */
  readonly isDatabasePooled: boolean
  /** Path of a file for refunds and completions that cannot be written before shutdown. */
  readonly pendingFile: string
  readonly tokenPrefix: string
  readonly trustProxy: string
  readonly dnsServers: string
  readonly validateDnsSeconds: number
  readonly disposableExtra: string | undefined
  readonly disposableExcept: string | undefined
  readonly signup: 'open' | 'closed'
  /** Signs sessions; if undefined, one is generated and stored beside the embedded database. */
  readonly authSecret: string | undefined
  /** How to ask for another plan: an address, a page or a sentence. */
  readonly contact: string | undefined
  /** URL of the operator's legal notice and terms. */
  readonly legalUrl: string | undefined
  readonly fuzzySeconds: number
  readonly eventDays: number
  /** Memory that all requests together may hold at any one time. */
  readonly bodyMemoryBytes: number
  /** How long a stopping server keeps serving while it reports that it is not ready. */
  readonly drainSeconds: number
  readonly metricsPort: number | undefined
  readonly logLevel: LogLevel
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Connections to PostgreSQL by default: three instances can share a database that allows 20. */
export const DATABASE_CONNECTIONS = 6

/** The least length of the secret from which signatures are made. */
export const SECRET_CHARACTERS = 32

/** A missing or invalid setting; the message is one line that names it. */
export class SettingError extends UserError {
  override readonly name = 'SettingError'
}

function wholeNumber(from: number, to: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${from} to ${to}`
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= from && value <= to, message)
}

const port = wholeNumber(1, 65_535)

const webAddress = z
  .string()
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : null
    return url !== null && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname
  }, 'must be an address such as https://dedupe.example.com')
  // As browsers write it: they accept capitals, spaces around it and more, while messages and comparisons need one form.
  .transform((text) => new URL(text).href.replace(/\/+$/, ''))

const SETTINGS = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(8_080),
  BASE_URL: webAddress.optional(),
  DATABASE_URL: z
    .string()
    .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/s, 'must be sqlite:PATH or postgres://…')
    .default('sqlite:./data/keepfirst.db'),
  DATABASE_CONNECTIONS: wholeNumber(4, 1_000).default(DATABASE_CONNECTIONS),
  DATABASE_POOLER: z.enum(['none', 'transaction'], 'must be none or transaction').default('none'),
  PENDING_FILE: z.string().default('./data/keepfirst-pending.jsonl'),
  TOKEN_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9]{1,4}$/, 'must be 1 to 4 letters or digits')
    .default('kf'),
  TRUST_PROXY: z.string().default(''),
  DNS_SERVERS: z.string().default(''),
  VALIDATE_DNS_SECONDS: wholeNumber(1, 600).default(20),
  DISPOSABLE_EXTRA: z.string().optional(),
  DISPOSABLE_EXCEPT: z.string().optional(),
  SIGNUP: z.enum(['open', 'closed'], 'must be open or closed').default('open'),
  AUTH_SECRET: z.string().min(SECRET_CHARACTERS, `must have at least ${SECRET_CHARACTERS} characters`).optional(),
  CONTACT: z.string().max(200, 'must have at most 200 characters').optional(),
  LEGAL_URL: z
    .url({ protocol: /^https?$/, error: 'must be a web address such as https://example.com/imprint' })
    .max(2_000, 'must have at most 2,000 characters')
    .optional(),
  FUZZY_SECONDS: wholeNumber(1, 3_600).default(60),
  EVENT_DAYS: wholeNumber(1, 3_650).default(90),
  BODY_MEMORY_MB: wholeNumber(8, 65_536).default(256),
  DRAIN_SECONDS: wholeNumber(0, 600).default(5),
  METRICS_PORT: port.optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
})

/**
 * Reads the settings from the environment; an empty one counts as absent.
 * @param env the environment; relative paths are resolved against `INIT_CWD` (set by npm and npx)
 * @throws SettingError when a setting is invalid
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const read = SETTINGS.safeParse(given)
  if (!read.success) {
    const issue = read.error.issues[0]
    throw new SettingError(`${issue?.path.join('.')} ${issue?.message}`)
  }
  const set = read.data
  const calledIn = env.INIT_CWD ?? process.cwd()
  const databaseUrl = absolute(set.DATABASE_URL, calledIn)
  return {
    host: set.HOST,
    port: set.PORT,
    baseUrl: set.BASE_URL ?? `http://localhost:${set.PORT}`,
    databaseUrl,
    databaseConnections: set.DATABASE_CONNECTIONS,
    isDatabasePooled: set.DATABASE_POOLER === 'transaction',
    pendingFile: resolve(calledIn, set.PENDING_FILE),
    tokenPrefix: set.TOKEN_PREFIX,
    trustProxy: set.TRUST_PROXY,
    dnsServers: set.DNS_SERVERS,
    validateDnsSeconds: set.VALIDATE_DNS_SECONDS,
    disposableExtra: set.DISPOSABLE_EXTRA && resolve(calledIn, set.DISPOSABLE_EXTRA),
    disposableExcept: set.DISPOSABLE_EXCEPT && resolve(calledIn, set.DISPOSABLE_EXCEPT),
    signup: set.SIGNUP,
    authSecret: set.AUTH_SECRET,
    contact: set.CONTACT,
    legalUrl: set.LEGAL_URL,
    fuzzySeconds: set.FUZZY_SECONDS,
    eventDays: set.EVENT_DAYS,
    bodyMemoryBytes: set.BODY_MEMORY_MB * 1_024 * 1_024,
    drainSeconds: set.DRAIN_SECONDS,
    metricsPort: set.METRICS_PORT,
    logLevel: set.LOG_LEVEL,
  }
}

function absolute(databaseUrl: string, from: string): string {
  const path = /^sqlite:(.+)$/s.exec(databaseUrl)?.[1]
  return path === undefined ? databaseUrl : `sqlite:${resolve(from, path)}`
}
