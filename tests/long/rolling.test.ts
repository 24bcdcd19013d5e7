import { Agent, request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { freePort } from '../support/ports.ts'
import { PROXIES } from '../support/proxies.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { sharedPostgres } from '../support/shared-postgres.ts'

const INSTANCES = 3
const CALLERS = 8

/** Sends a request on a persistent connection; returns its status or error message. */
function send(port: number, agent: Agent, { token, body }: { token: string; body: string }): Promise<number | string> {
  const headers = { 'x-api-key': token, 'Content-Length': Buffer.byteLength(body) }
  return new Promise((resolve) => {
    const call = request({ port, agent, path: '/api/dedupe', method: 'POST', headers, rejectUnauthorized: false })
    call.once('error', (error) => resolve(error.message))
    call.once('response', (response) => response.resume().once('end', () => resolve(response.statusCode ?? 0)))
    call.end(body)
  })
}

describe.each(PROXIES)('three instances behind $name, restarted one after another under load', ({ name, start }) => {
  test('no request fails, and exactly the answered requests are charged', async () => {
    const databaseUrl = await (await sharedPostgres()).createDatabase()
    const env = { TRUST_PROXY: '127.0.0.1' }
    const servers: RunningServer[] = []
    for (let i = 0; i < INSTANCES; i++) servers.push(await startServer({ databaseUrl, env, port: await freePort() }))
    const proxy = await start(servers.map(({ port }) => port))
    const account = `${name}@example.com`.toLowerCase()
    const tokens: string[] = []
    for (let i = 0; i < CALLERS; i++) tokens.push((await servers[0]?.key(account))?.token ?? '')

    const outcomes = new Map<number | string, number>()
    let isOver = false
    const caller = async (token: string): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (let sent = 0; !isOver; sent++) {
        const outcome = await send(proxy.port, agent, { token, body: sent % 10 === 0 ? LARGE : SMALL })
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        await sleep(250) // below the burst limit of a key
      }
      agent.destroy()
    }
    const callers = tokens.map(caller)
    for (const [i, server] of servers.entries()) {
      await server.stop()
      servers[i] = await startServer({ databaseUrl, env, port: server.port })
    }
    isOver = true
    await Promise.all(callers)

    const answered = outcomes.get(200) ?? 0
    expect([...outcomes.keys()].filter((outcome) => outcome !== 200)).toEqual([])
    expect(answered).toBeGreaterThan(100)
    const events = (await servers[0]?.events(account)) ?? []
    expect(events.filter(({ status }) => status === 200)).toHaveLength(answered)
    expect(events.filter(({ status, units }) => status !== 200 && Number(units) > 0)).toEqual([])
    await proxy.stop()
    await Promise.all(servers.map((server) => server.stop()))
  })
})

const SMALL = '{"mode":"lines","data":"a\\nb\\na"}'
const LARGE = JSON.stringify({ mode: 'lines', data: `${'a'.repeat(1_000)}\n`.repeat(100) })
