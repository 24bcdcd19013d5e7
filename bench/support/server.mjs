/* The product in a separate process, with its own database. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const COMMAND = join(import.meta.dirname, '../../packages/service/bin/keepfirst.js')
const EVENT_LOOP = join(import.meta.dirname, 'event-loop.mjs')
const DEFAULT_PORT = 20_000 + (process.pid % 10_000)

/** @param settings environment variables; several servers at a time need different values of `PORT` */
export async function startServer(settings = {}) {
  const port = Number(settings.PORT ?? DEFAULT_PORT)
  const folder = mkdtempSync(join(tmpdir(), 'keepfirst-bench-'))
  const env = {
    ...process.env,
    PORT: String(port),
    BASE_URL: '',
    DATABASE_URL: `sqlite:${folder}/keepfirst.db`,
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc']
  const server = spawn(process.execPath, ['--import', EVENT_LOOP, COMMAND, 'serve'], { env, stdio })
  const agent = new Agent({ keepAlive: true })

  /** Resolves to the status of the answer, once it has arrived completely. */
  function call(path, token, body) {
    return new Promise((done, failed) => {
      const headers = {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        'Content-Length': Buffer.byteLength(body),
      }
      const sent = request({ port, host: '127.0.0.1', path, method: body ? 'POST' : 'GET', headers, agent })
      sent.on('error', failed)
      sent.on('response', (answer) => {
        answer.resume()
        answer.on('end', () => done(answer.statusCode))
        answer.on('error', failed)
      })
      sent.end(body)
    })
  }

  while ((await call('/readyz', '', '').catch(() => 0)) !== 200) await new Promise((later) => setTimeout(later, 100))
  return {
    baseUrl: `http://localhost:${port}`,
    databaseUrl: env.DATABASE_URL,
    pid: server.pid,
    call,
    makeKey(account) {
      const args = [COMMAND, 'keys', 'create', '--account', account, '--plan', 'pro', '--json']
      return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' })).token
    },
    startLoopMeasurement: () => server.send('begin'),
    /** Like `stopMeasuring` in event-loop.mjs. */
    async stopLoopMeasurement() {
      server.send('end')
      return (await once(server, 'message'))[0]
    },
    async stop() {
      agent.destroy()
      server.kill('SIGTERM')
      await once(server, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
