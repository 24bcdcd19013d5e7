import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PLANS } from '@keepfirst/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessionsOf } from './support/examples.ts'
import { ENVIRONMENT, REPOSITORY, type RunningServer, startServer } from './support/server.ts'

const run = promisify(execFile)
const README = await readFile(join(REPOSITORY, 'README.md'), 'utf8')

const SESSIONS = sessionsOf(README)

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

describe('the README is true', () => {
  test('it shows requests of every mode', () => {
    expect(SESSIONS.length).toBeGreaterThanOrEqual(6)
  })

  test.each(SESSIONS)('$title', async ({ typed, appears }) => {
    const script = typed.join('\n').replaceAll('localhost:8080', `127.0.0.1:${server.port}`)
    const env = { ...ENVIRONMENT, DATABASE_URL: `sqlite:${server.folder}/keepfirst.db` }
    const { stdout } = await run('bash', ['-euc', script], { cwd: REPOSITORY, env })
    expect(stdout.trim()).toBe(appears.trim())
  })

  test('its table of plans is the table of plans', () => {
    const shown = /<!-- plans.*?-->\n(.*?)\n<!-- \/plans -->/s.exec(README)?.[1]
    expect(shown).toBe(plansTable())
  })

  test('it has at most 200 lines', () => {
    expect(README.split('\n').length).toBeLessThanOrEqual(200)
  })
})

function plansTable(): string {
  const rows = Object.values(PLANS).map((plan) => {
    const burst = plan.burst ? `${plan.burst.requests} in ${plan.burst.windowSeconds.toLocaleString('en-US')} s` : '–'
    const price = plan.pricePerMonth === null ? '–' : `${plan.pricePerMonth} USD`
    const keys = plan.activeKeys ?? 'unlimited'
    const units = `${plan.allowance.units.toLocaleString('en-US')} a ${plan.allowance.per}`
    const cap = plan.unitsPerRequest.toLocaleString('en-US')
    return `| ${plan.title} | ${units} | ${cap} | ${plan.bodyCap} | ${burst} | ${keys} | ${price} |`
  })
  return [
    '| plan | units | units a request | body | requests | keys | a month |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
