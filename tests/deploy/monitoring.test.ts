import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { REPOSITORY } from '../support/server.ts'

const run = promisify(execFile)
const PROMETHEUS = join(REPOSITORY, 'deploy/prometheus')
const ALERTS = [...(await readFile(join(PROMETHEUS, 'alerts.yml'), 'utf8')).matchAll(/alert: (\w+)/g)].map(
  ([, name = '']) => name,
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
