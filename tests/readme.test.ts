import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessionsOf } from './support/examples.ts'
import { Sandbox } from './support/local.ts'
import { ENVIRONMENT, REPOSITORY, type RunningServer, startServer } from './support/server.ts'

const run = promisify(execFile)
const README = await readFile(join(REPOSITORY, 'README.md'), 'utf8')

const PACKAGE_README = await readFile(join(REPOSITORY, 'packages/service/README.md'), 'utf8')
const SESSIONS = sessionsOf(README)

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

describe('examples in the README', () => {
  test('are found', () => {
    expect(SESSIONS.length).toBeGreaterThanOrEqual(6)
  })

  test.each(SESSIONS)('$title', async ({ commands, output }) => {
    const script = commands.join('\n').replaceAll('localhost:8080', `127.0.0.1:${server.port}`)
    const env = { ...ENVIRONMENT, DATABASE_URL: `sqlite:${server.folder}/keepfirst.db` }
    const { stdout } = await run('bash', ['-euc', script], { cwd: REPOSITORY, env })
    expect(stdout.trim()).toBe(output.trim())
  })

  test.each(sessionsOf(PACKAGE_README))('of the package: $title', async ({ commands, output }) => {
    // The package is already installed, and the service running.
    const script = commands.filter((line) => !/^npm install |serve &$/.test(line)).join('\n')
    const { stdout } = await new Sandbox().shell(script.replaceAll('localhost:8080', `127.0.0.1:${server.port}`))
    expect(stdout.trim()).toBe(output.trim())
  })

  test('the README has at most 200 lines', () => {
    expect(README.split('\n').length).toBeLessThanOrEqual(200)
  })
})
