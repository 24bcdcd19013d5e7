import { Agent, request } from 'node:https'
import { PLANS } from '@keepfirst/protocol'
import { describe, expect, test } from 'vitest'
import { Operator } from '../support/operator.ts'
import { freePort } from '../support/ports.ts'
import { PROXIES } from '../support/proxies.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { sharedPostgres } from '../support/shared-postgres.ts'

const INSTANCES = 3
const CALLERS = 8
/** A key has a burst limit, but an account may have any number of keys. */
const CALLS_OF_A_KEY = PLANS.pro.burst?.requests ?? 1

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
  test('hardly any request fails, and exactly the answered requests are charged', async () => {
    const databaseUrl = await (await sharedPostgres()).createDatabase()
    const env = { TRUST_PROXY: '127.0.0.1', DRAIN_SECONDS: '5' } // the default
    const servers: RunningServer[] = []
    for (let i = 0; i < INSTANCES; i++) servers.push(await startServer({ databaseUrl, env, port: await freePort() }))
    const proxy = await start(servers.map(({ port }) => port))
    const operator = new Operator(databaseUrl, '')
    const accounts = Array.from({ length: CALLERS }, (_, i) => `${name}${i}@example.com`.toLowerCase())

    const outcomes = new Map<number | string, number>()
    let isOver = false
    const caller = async (account: string): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      let token = ''
      for (let sent = 0; !isOver; sent++) {
        if (sent % CALLS_OF_A_KEY === 0) token = (await operator.key(account)).token
        const outcome = await send(proxy.port, agent, { token, body: sent % 10 === 0 ? LARGE : SMALL })
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
      agent.destroy()
    }
    const callers = accounts.map(caller)
    for (const [i, server] of servers.entries()) {
      await server.stop()
      servers[i] = await startServer({ databaseUrl, env, port: server.port })
    }
    isOver = true
    await Promise.all(callers)

    const answered = outcomes.get(200) ?? 0
    expect([...outcomes.keys()].filter((outcome) => outcome !== 200 && outcome !== 502)).toEqual([])
    // nginx does not ask whether an instance is ready, so requests may arrive just when it closes its port.
    expect(outcomes.get(502) ?? 0).toBeLessThanOrEqual(name === 'nginx' ? INSTANCES * CALLERS : 0)
    expect(answered).toBeGreaterThan(100)
    const events = (await Promise.all(accounts.map((account) => operator.events(account)))).flat()
    await operator.close()
    expect(events.filter(({ status }) => status === 200)).toHaveLength(answered)
    expect(events.filter(({ status, units }) => status !== 200 && Number(units) > 0)).toEqual([])
    await proxy.stop()
    await Promise.all(servers.map((server) => server.stop()))
  })
})

const SMALL = '{"mode":"lines","data":"a\\nb\\na"}'
const LARGE = JSON.stringify({ mode: 'lines', data: `${'a'.repeat(1_000)}\n`.repeat(100) })
