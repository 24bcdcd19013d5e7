import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../support/ports.ts'
import { ENVIRONMENT, type RunningServer, runCommand, startServer } from '../support/server.ts'

let running: RunningServer
let metricsPort: number
beforeAll(async () => {
  metricsPort = await freePort()
  running = await startServer({ env: { METRICS_PORT: String(metricsPort) } })
})
afterAll(() => running.stop())

describe('a start that fails to listen ends at once, with one line that names the setting and exit code 1', () => {
  test.each([
    { name: 'PORT is in use', names: 'PORT', set: () => ({ PORT: running.port }) },
    { name: 'METRICS_PORT is in use', names: 'METRICS_PORT', set: () => ({ METRICS_PORT: running.port }) },
    { name: 'METRICS_PORT is PORT', names: 'METRICS_PORT', set: (port: number) => ({ METRICS_PORT: port }) },
    { name: 'HOST has no address', names: 'PORT', set: () => ({ HOST: 'nope.invalid' }) },
    { name: 'HOST is another machine', names: 'PORT', set: () => ({ HOST: '203.0.113.1' }) },
  ])('$name', async ({ names, set }) => {
    const folder = await mkdtemp(join(tmpdir(), 'keepfirst-taken-'))
    const port = await freePort()
    const settings = { HOST: '127.0.0.1', PORT: port, ...set(port) }
    const texts = Object.fromEntries(Object.entries(settings).map(([setting, value]) => [setting, String(value)]))
    // An orderly stop would drain for longer than a test may take.
    const env = { ...ENVIRONMENT, DATABASE_URL: `sqlite:${folder}/keepfirst.db`, DRAIN_SECONDS: '600', ...texts }
    const { code, stderr } = await runCommand(['serve'], env, folder)
    expect(stderr).toMatch(
      new RegExp(`^keepfirst: ${names} \\d+ cannot be opened on ${settings.HOST} \\([A-Z_]+\\)\\n$`),
    )
    expect(code).toBe(1)
  })
})

test('METRICS_PORT serves only metrics for Prometheus', async () => {
  await running.call({ body: { mode: 'lines', data: 'a\na\nb' } })
  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  expect(await metrics.text()).toContain('keepfirst_units_total{path="/api/dedupe",plan="keyless"} 3')
  expect((await fetch(`http://127.0.0.1:${metricsPort}/`)).status).toBe(404)
})
