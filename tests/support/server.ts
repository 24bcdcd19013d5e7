import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import * as http from 'node:http'
import * as https from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { AccountPlan } from '@keepfirst/protocol'
import { assertDescribed } from './contract.ts'
import { type CreatedKey, Operator } from './operator.ts'
import { freePort } from './ports.ts'
import { type CommandResult, runInResident } from './resident.ts'
import { until, untilReady } from './until.ts'

/** The product as users get it: built, started by its own command, accessed over real HTTP. */
export interface RunningServer {
  readonly baseUrl: string
  readonly port: number
  readonly folder: string
  readonly databaseUrl: string
  readonly process: ChildProcess
  call(options: CallOptions): Promise<Answer>
  /** Runs an operator's command with the server's environment, in a long-lived process if the server is this build's. */
  cli(...args: string[]): Promise<CommandResult>
  readonly operator: Operator
  /** The same as `operator.key`. */
  key(account: string, plan?: AccountPlan): Promise<CreatedKey>
  /** The same as `operator.events`, once everything that the server has recorded is written. */
  events(account: string): Promise<Record<string, unknown>[]>
  /** Everything that it has logged so far. */
  log(): Promise<string>
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface CallOptions {
  readonly method?: string
  readonly path?: string
  /** Text and bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown
  readonly token?: string
  readonly headers?: Record<string, string>
  /** Sends the body without declaring its length. */
  readonly chunked?: boolean
  /** The loopback address that the call comes from. */
  readonly from?: string
  /** Uses TLS and accepts any certificate. */
  readonly secure?: boolean
}

export interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown
}

export interface ServerOptions {
  /** Default: an embedded database in a fresh folder. */
  readonly databaseUrl?: string
  readonly env?: Record<string, string>
  /** The folder of an earlier server, to start with its data. */
  readonly folder?: string
  /** Default: any free port. */
  readonly port?: number
  /** The command of another build of the product. */
  readonly command?: string
  /** Hashes passwords at full cost, for tests that depend on it. */
  readonly hasRealPasswords?: boolean
  /** If `false`, the server is considered started when it listens, even if its database is down. */
  readonly isReady?: boolean
  /** Another Node.js to run it with. */
  readonly node?: string
}

export const REPOSITORY: string = resolve(import.meta.dirname, '../..')
/** This process's environment without the test runner's own variables. */
export const ENVIRONMENT: NodeJS.ProcessEnv = { ...process.env, BASE_URL: '' }

export const AUTH_SECRET = 'a secret of the tests, long enough for anyone'

export const COMMAND: string = join(REPOSITORY, 'packages/service/bin/keepfirst.js')
const CHEAP_PASSWORDS: string = join(import.meta.dirname, 'cheap-passwords.mjs')
/** The command of the package with only the local commands. */
export const LOCAL_COMMAND: string = join(REPOSITORY, 'packages/cli/bin/keepfirst.js')

/** Starts a server with an address, a folder and a database of its own, and waits until it is ready. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'keepfirst-test-')))
  const port = options.port ?? (await freePort())
  const baseUrl = `http://127.0.0.1:${port}`
  const env = {
    ...ENVIRONMENT,
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: baseUrl,
    DATABASE_URL: options.databaseUrl ?? `sqlite:${folder}/keepfirst.db`,
    DRAIN_SECONDS: '0',
    AUTH_SECRET,
    ...options.env,
  }
  const { command = COMMAND, node = process.execPath } = options
  const args = [...(options.hasRealPasswords ? [] : ['--import', CHEAP_PASSWORDS]), command, 'serve']
  const child = spawn(node, args, { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const log: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => log.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk))
  const logged = () => Buffer.concat(log).toString()
  const path = options.isReady === false ? '/healthz' : '/readyz'
  await untilReady(child, async () => (await answerAt(port, path))?.status === 200, logged)
  const operator = new Operator(env.DATABASE_URL, env.BASE_URL)
  return {
    baseUrl,
    port,
    folder,
    databaseUrl: env.DATABASE_URL,
    process: child,
    async call(call) {
      const answer = await callServer(port, call)
      assertDescribed({ path: '/api/dedupe', method: 'POST', ...call, ...answer })
      return answer
    },
    cli: (...cliArgs) =>
      command === COMMAND
        ? runInResident({ program: 'operator', folder, env, args: cliArgs })
        : runCommand(cliArgs, env, folder, command),
    operator,
    key: (account, plan) => operator.key(account, plan),
    async events(account) {
      await waitForNotes(port)
      return operator.events(account)
    },
    log: async () => logged(),
    async stop(signal = 'SIGTERM') {
      await operator.close()
      await stop(child, signal)
    },
  }
}

/** The answer to a GET; undefined when the server cannot be reached. */
export function answerAt(port: number, path: string): Promise<Answer | undefined> {
  return callServer(port, { method: 'GET', path }).catch(() => undefined)
}

/**
 * Refusals and completions are written some milliseconds after their answers; a server that has exited has written them
 * all.
 */
async function waitForNotes(port: number): Promise<void> {
  await until('all notes were written', async () => {
    const answer = await answerAt(port, '/readyz')
    const backlog = (answer?.json as { backlog?: { notes: number } } | undefined)?.backlog
    return answer?.status !== 200 || !backlog?.notes
  })
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill(signal)
  await ended
}

/** Runs the command in a process of its own. */
export function runCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  command: string = COMMAND,
): Promise<CommandResult> {
  return new Promise((done) => {
    execFile(process.execPath, [command, ...args], { env, cwd, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
    })
  })
}

/** Sends one request to a server on this machine; rejects when there is no answer. */
export function callServer(port: number, options: CallOptions): Promise<Answer> {
  const {
    method = 'POST',
    path = '/api/dedupe',
    body,
    token,
    headers = {},
    chunked = false,
    from = '127.0.0.1',
    secure = false,
  } = options
  const payload =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const all = {
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(payload === undefined
      ? {}
      : chunked
        ? { 'Transfer-Encoding': 'chunked' }
        : { 'Content-Length': String(Buffer.byteLength(payload)) }),
    ...headers,
  }
  return new Promise((done, failed) => {
    const { request } = secure ? https : http
    const where = { host: '127.0.0.1', port, localAddress: from, agent: false, rejectUnauthorized: false }
    const call = request({ ...where, method, path, headers: all })
    call.on('error', failed)
    call.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', failed)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const flat = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
        done({ status: response.statusCode ?? 0, headers: flat, text, json: parsed(text) })
      })
    })
    call.end(payload)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** All bytes that a server has on disk, for tests that search for what must not be stored. */
export async function bytesOnDisk(folder: string): Promise<Buffer> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const contents = files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name)))
  return Buffer.concat(await Promise.all(contents))
}

/** Removes a folder with everything in it, if it exists. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}
