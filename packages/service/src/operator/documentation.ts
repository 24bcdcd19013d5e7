import type { Documentation } from '@keepfirst/cli'

type Variables = Documentation['environment']

const DATABASE_URL: Variables = [
  { name: 'DATABASE_URL', says: 'sqlite:PATH or postgres://…; default sqlite:./data/keepfirst.db' },
]
const DATABASE: Variables = [
  ...DATABASE_URL,
  { name: 'DATABASE_POOLER', says: 'none (default) or transaction: behind a pooler such as PgBouncer' },
]
const BASE: Variables = [{ name: 'BASE_URL', says: 'the public address; default http://localhost:PORT' }]
const PREFIX: Variables = [{ name: 'TOKEN_PREFIX', says: 'first part of new tokens; default kf' }]

/** All settings; docs/operate.md has the details. */
const SETTINGS: Variables = [
  { name: 'HOST, PORT', says: 'where it listens; default 127.0.0.1 and 8080' },
  ...BASE,
  ...DATABASE,
  { name: 'DATABASE_CONNECTIONS', says: 'total connections to PostgreSQL; default 6' },
  { name: 'PENDING_FILE', says: 'keeps what could not be written before shutdown' },
  ...PREFIX,
  { name: 'TRUST_PROXY', says: 'addresses or ranges whose X-Forwarded-For is trusted' },
  { name: 'SIGNUP', says: 'open (default) or closed: only the operator makes accounts' },
  { name: 'AUTH_SECRET', says: 'signs sessions; required with PostgreSQL' },
  { name: 'CONTACT', says: 'how to ask for another plan' },
  { name: 'LEGAL_URL', says: 'web address of the legal notice and terms' },
  { name: 'DNS_SERVERS', says: 'address[:port],… for /api/validate; default the system’s' },
  { name: 'VALIDATE_DNS_SECONDS', says: 'time limit for a request’s look-ups; default 20' },
  { name: 'DISPOSABLE_EXTRA', says: 'file with further disposable domains, one per line' },
  { name: 'DISPOSABLE_EXCEPT', says: 'file with domains that are not disposable' },
  { name: 'FUZZY_SECONDS', says: 'time limit for a fuzzy request; default 60' },
  { name: 'EVENT_DAYS', says: 'days that individual calls are kept; default 90' },
  { name: 'BODY_MEMORY_MB', says: 'memory for all requests together; default 256' },
  { name: 'DRAIN_SECONDS', says: 'how long a stopping server keeps serving; default 5' },
  { name: 'METRICS_PORT', says: 'Prometheus metrics on this port; off by default' },
  { name: 'LOG_LEVEL', says: 'trace, debug, info (default), warn, error, fatal, silent' },
]

type CommandName =
  | 'serve'
  | 'keys'
  | 'keysCreate'
  | 'keysList'
  | 'keysRevoke'
  | 'accounts'
  | 'accountsList'
  | 'accountsSetPlan'
  | 'accountsPassword'
  | 'accountsDelete'
  | 'accountsExport'
  | 'usage'
  | 'migrate'
  | 'backup'

/** What the help of each command says besides its flags. */
export const COMMAND_DOCUMENTATION: Readonly<Record<CommandName, Documentation>> = {
  serve: {
    examples: [
      { typed: 'keepfirst serve', does: 'serves on http://localhost:8080, the database in ./data' },
      {
        typed: 'PORT=80 BASE_URL=https://lists.example.com keepfirst serve',
        does: 'serves at a public address',
      },
    ],
    environment: SETTINGS,
  },
  keys: {
    examples: [
      { typed: 'keepfirst keys create --account ann@example.com', does: 'prints a new token' },
      { typed: 'keepfirst keys list', does: 'lists all keys' },
    ],
    environment: DATABASE,
  },
  keysCreate: {
    examples: [
      { typed: 'keepfirst keys create --account ann@example.com --plan pro', does: 'a key on the largest plan' },
      {
        typed: 'keepfirst keys create --account ann@example.com --name ci --json',
        does: 'the token and its details, machine-readable',
      },
    ],
    environment: [...DATABASE, ...PREFIX],
  },
  keysList: {
    examples: [
      { typed: 'keepfirst keys list --account ann@example.com', does: 'the keys of one account' },
      { typed: 'keepfirst keys list --json', does: 'all keys, machine-readable' },
    ],
    environment: DATABASE,
  },
  keysRevoke: {
    examples: [
      { typed: 'keepfirst keys list', does: 'shows the ids' },
      { typed: 'keepfirst keys revoke ID', does: 'the next request with this key gets 401' },
    ],
    environment: DATABASE,
  },
  accounts: {
    examples: [
      { typed: 'keepfirst accounts list', does: 'lists all accounts' },
      { typed: 'keepfirst accounts set-plan ann@example.com starter', does: 'moves an account to a plan' },
    ],
    environment: DATABASE,
  },
  accountsList: {
    examples: [
      { typed: 'keepfirst accounts list', does: 'a table of all accounts' },
      { typed: 'keepfirst accounts list --json', does: 'the same, machine-readable' },
    ],
    environment: DATABASE,
  },
  accountsSetPlan: {
    examples: [
      { typed: 'keepfirst accounts set-plan ann@example.com pro', does: 'to a larger plan' },
      { typed: 'keepfirst accounts set-plan ann@example.com free', does: 'to the smallest; its keys keep working' },
    ],
    environment: DATABASE,
  },
  accountsPassword: {
    examples: [
      { typed: 'keepfirst accounts password ann@example.com', does: 'prints the link' },
      {
        typed: 'BASE_URL=https://lists.example.com keepfirst accounts password ann@example.com',
        does: 'a link at the public address',
      },
    ],
    environment: [...DATABASE, ...BASE],
  },
  accountsExport: {
    examples: [
      {
        typed: 'keepfirst accounts export ann@example.com > ann.json',
        does: 'for a user who asks what is stored about them',
      },
    ],
    environment: DATABASE,
  },
  accountsDelete: {
    examples: [{ typed: 'keepfirst accounts delete ann@example.com', does: 'its usage is kept in anonymous totals' }],
    environment: DATABASE,
  },
  migrate: {
    examples: [
      {
        typed: 'DATABASE_URL=postgres://owner@db.example.com/keepfirst keepfirst migrate',
        does: 'with the role that owns the tables, if serve’s role may not change them',
      },
    ],
    environment: DATABASE,
  },
  backup: {
    examples: [{ typed: 'keepfirst backup /backups/monday.db', does: 'a consistent copy of the embedded database' }],
    environment: DATABASE_URL,
  },
  usage: {
    examples: [
      { typed: 'keepfirst usage', does: 'this month, account by account' },
      {
        typed: 'keepfirst usage --account ann@example.com --month 2026-10 --events --json',
        does: 'each call of an earlier month, machine-readable',
      },
    ],
    environment: DATABASE,
  },
}
