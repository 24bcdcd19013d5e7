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

describe('a port that is in use: one line with the name of the setting, and exit code 1', () => {
  test.each(['PORT', 'METRICS_PORT'])('%s', async (setting) => {
    const folder = await mkdtemp(join(tmpdir(), 'keepfirst-taken-'))
    const ports = { PORT: String(await freePort()), [setting]: String(running.port) }
    const env = { ...ENVIRONMENT, DATABASE_URL: `sqlite:${folder}/keepfirst.db`, ...ports }
    const { code, stderr } = await runCommand(['serve'], env, folder)
    expect(stderr).toBe(`keepfirst: ${setting} ${running.port} cannot be opened on 127.0.0.1 (EADDRINUSE)\n`)
    expect(code).toBe(1)
  })
})

test('METRICS_PORT serves only metrics for Prometheus', async () => {
  await running.call({ body: { mode: 'lines', data: 'a\na\nb' } })
  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  expect(await metrics.text()).toContain('keepfirst_units_total{path="/api/dedupe",plan="keyless"} 3')
  expect((await fetch(`http://127.0.0.1:${metricsPort}/`)).status).toBe(404)
})
