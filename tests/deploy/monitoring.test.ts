import { execFile, execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { freePort } from '../support/ports.ts'
import { type RunningPrometheus, startPrometheus } from '../support/prometheus.ts'
import { REPOSITORY, type RunningServer, startServer } from '../support/server.ts'
import { sharedPostgres } from '../support/shared-postgres.ts'
import { usesPostgres } from '../support/store-selection.ts'
import { until } from '../support/until.ts'

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
/** The queries that Grafana sends for the dashboard if all instances are chosen. */
const QUERIES = PANELS.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => ({
    title,
    query: expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'),
  })),
)

describe('alerts', () => {
  test('have valid rules', async () => {
    await run('promtool', ['check', 'rules', join(PROMETHEUS, 'alerts.yml')])
  })

  test('fire exactly when they should', async () => {
    await run('promtool', ['test', 'rules', join(PROMETHEUS, 'alerts.test.yml')])
  })

  test.each(ALERTS)('%s has a case where it fires and one where it does not', async (name) => {
    const cases = await readFile(join(PROMETHEUS, 'alerts.test.yml'), 'utf8')
    expect(cases).toContain(`name: ${name} fires`)
    expect(cases).toContain(`name: ${name} stays quiet`)
  })
})

describe.runIf(usesPostgres)('a monitored server', () => {
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
    const { token } = await server.key('monitored@example.com')
    const large = `name\n${'Ada Lovelace\n'.repeat(4_000)}`
    // A rate needs two samples of a growing counter.
    for (let scrapes = 0; scrapes < 4; scrapes++) {
      const before = await lastScrape()
      await server.call({ token, body: { mode: 'rows', data: large } })
      await server.call({ token, body: { mode: 'rows', data: large, options: { fuzzy: true } } })
      await server.call({ token, path: '/api/validate', body: { emails: [`a@mail${scrapes}.example`] } })
      await until('the metrics were read again', async () => (await lastScrape()) !== before)
    }
  })
  afterAll(async () => {
    await prometheus.stop()
    await server.stop()
    await dns.close()
  })

  const lastScrape = async () => (await prometheus.query('timestamp(up)'))[0]?.value[1]

  test('has valid metrics', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    // Those of the runtime come from a library, and `promtool` objects to some.
    const ours = metrics.split('\n').filter((line) => /^(?:# \w+ )?keepfirst_/.test(line))
    execFileSync('promtool', ['check', 'metrics'], { input: `${ours.join('\n')}\n` })
  })

  test.each(QUERIES)('$title: $query', async ({ query }) => {
    expect((await prometheus.query(query)).length).toBeGreaterThan(0)
  })

  test('has every metric that the alerts use', async () => {
    const names = new Set(RULES.match(/\b(?:keepfirst|nodejs|process)_\w+/g))
    const missing: string[] = []
    for (const name of names) if ((await prometheus.query(name)).length === 0) missing.push(name)
    expect(missing).toEqual([])
  })

  test('fires no alert', async () => {
    expect(await prometheus.query('ALERTS{alertstate="firing"}')).toEqual([])
  })
})
