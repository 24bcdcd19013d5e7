import { execFile, execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { freePort } from '../support/ports.ts'
import { type RunningPrometheus, startPrometheus } from '../support/prometheus.ts'
import { REPOSITORY, type RunningServer, startServer } from '../support/server.ts'
import { sharedPostgres } from '../support/shared-postgres.ts'
import { hasPostgres } from '../support/stores-of-run.ts'

const run = promisify(execFile)
const PROMETHEUS = join(REPOSITORY, 'deploy/prometheus')
const RULES = await readFile(join(PROMETHEUS, 'alerts.yml'), 'utf8')
const ALERTS = [...RULES.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)

const Dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
})
const { panels: PANELS } = Dashboard.parse(
  JSON.parse(await readFile(join(REPOSITORY, 'deploy/grafana/dashboards/keepfirst.json'), 'utf8')),
)
/** Queries of the dashboard as Grafana sends them with all instances chosen. */
const QUERIES = PANELS.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => ({
    title,
    query: expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'),
  })),
)

describe('alerts', () => {
  test('their rules are sound', async () => {
    await run('promtool', ['check', 'rules', join(PROMETHEUS, 'alerts.yml')])
  })

  test('each comes when it should and does not when it should not', async () => {
    await run('promtool', ['test', 'rules', join(PROMETHEUS, 'alerts.test.yml')])
  })

  test.each(ALERTS)('%s has a case of both', async (name) => {
    const cases = await readFile(join(PROMETHEUS, 'alerts.test.yml'), 'utf8')
    expect(cases).toContain(`name: ${name} fires`)
    expect(cases).toContain(`name: ${name} stays quiet`)
  })
})

describe.runIf(hasPostgres)('a server that is watched', () => {
  let dns: DnsServer
  let server: RunningServer
  let prometheus: RunningPrometheus
  let metricsPort: number

  beforeAll(async () => {
    dns = await startDnsServer(() => 'mx')
    metricsPort = await freePort()
    const env = { METRICS_PORT: String(metricsPort), DNS_SERVERS: dns.address }
    server = await startServer({ databaseUrl: await (await sharedPostgres()).createDatabase(), env })
    prometheus = await startPrometheus(metricsPort)
    const { token } = await server.key('watched@example.com')
    const large = `name\n${'Ada Lovelace\n'.repeat(4_000)}`
    // A rate needs two looks at a counter that grows.
    for (let looks = 0; looks < 4; looks++) {
      const before = await lookedAt()
      await server.call({ token, body: { mode: 'rows', data: large } })
      await server.call({ token, body: { mode: 'rows', data: large, options: { fuzzy: true } } })
      await server.call({ token, path: '/api/validate', body: { emails: [`a@mail${looks}.example`] } })
      while ((await lookedAt()) === before) await sleep(200)
    }
  })
  afterAll(async () => {
    await prometheus.stop()
    await server.stop()
    await dns.close()
  })

  const lookedAt = async () => (await prometheus.query('timestamp(up)'))[0]?.value[1]

  test('its metrics are written as they should be', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    // Those of the runtime are a library's; `promtool` has its own opinion of them.
    const ours = metrics.split('\n').filter((line) => /^(?:# \w+ )?keepfirst_/.test(line))
    execFileSync('promtool', ['check', 'metrics'], { input: `${ours.join('\n')}\n` })
  })

  test.each(QUERIES)('$title: $query', async ({ query }) => {
    expect((await prometheus.query(query)).length).toBeGreaterThan(0)
  })

  test('every number that an alert looks at is there', async () => {
    const names = new Set(RULES.match(/\b(?:keepfirst|nodejs|process)_\w+/g))
    const missing: string[] = []
    for (const name of names) if ((await prometheus.query(name)).length === 0) missing.push(name)
    expect(missing).toEqual([])
  })

  test('nobody is woken', async () => {
    expect(await prometheus.query('ALERTS{alertstate="firing"}')).toEqual([])
  })
})
