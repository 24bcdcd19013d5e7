import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DEDUPE_EXAMPLES, describeApi, describeErrors, messageTemplate, VALIDATE_EXAMPLE } from '@keepfirst/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaViolations } from '../support/contract.ts'

const run = promisify(execFile)
const api = describeApi('http://localhost:8080')
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepfirst-description-'))
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(api))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const tool = (name: string, ...args: string[]) => run(process.execPath, [join('node_modules', name), ...args], { env })

/** A program that uses the generated types. */
const PROGRAM = `
import type { components, paths } from './api.ts'
type Dedupe = paths['/api/dedupe']['post']
const request: Dedupe['requestBody']['content']['application/json'] =
  { mode: 'rows', data: 'a,b', options: { keyColumns: [0], fuzzy: true, threshold: 0.9 } }
export async function dedupe(): Promise<Dedupe['responses']['200']['content']['application/json']> {
  const response = await fetch('/api/dedupe', { method: 'POST', body: JSON.stringify(request) })
  return response.json()
}
export const wait = (error: components['schemas']['Error']): number => error.retryAfter ?? 0
// @ts-expect-error there are three modes
export const wrong: Dedupe['requestBody']['content']['application/json'] = { mode: 'words', data: '' }
`

describe('9.1 to 9.3 one version', () => {
  test('paths contain no version, and there are only these', () => {
    expect(Object.keys(api.paths)).toEqual(['/api/dedupe', '/api/validate'])
  })

  test('nothing is deprecated', () => {
    expect(JSON.stringify(api)).not.toMatch(/"(?:deprecated|x-sunset)"/)
  })
})

test('6 the service only sends answers to requests', () => {
  expect(api).not.toHaveProperty('webhooks')
  expect(Object.values(api.paths).filter(({ post }) => 'callbacks' in post)).toEqual([])
})

describe('9.2 the published description', () => {
  test('passes the linter without a warning', async () => {
    const config = ['--config', 'redocly.yaml', '--format', 'json']
    const { stdout } = await tool('@redocly/cli/bin/cli.js', 'lint', ...config, join(folder, 'openapi.json'))
    expect(JSON.parse(stdout).totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
  })

  test('types generated from it accept a correct client and reject a wrong one', async () => {
    // By default, the generator requires every member that has a default.
    const flag = '--default-non-nullable=false'
    await tool('openapi-typescript/bin/cli.js', join(folder, 'openapi.json'), '-o', join(folder, 'api.ts'), flag)
    await writeFile(join(folder, 'program.ts'), PROGRAM)
    const options = ['--noEmit', '--strict', '--allowImportingTsExtensions', '--lib', 'ES2023,DOM']
    await tool(
      '@typescript/native/bin/tsc',
      '--ignoreConfig',
      '--target',
      'ES2023',
      ...options,
      join(folder, 'program.ts'),
    )
  })

  test.each([...DEDUPE_EXAMPLES, VALIDATE_EXAMPLE])('example $name matches its schemas', ({ request, answer }) => {
    const kind = 'emails' in request ? 'Validate' : 'Dedupe'
    expect(schemaViolations({ $ref: `#/components/schemas/${kind}Request` }, request, 'request')).toEqual([])
    expect(schemaViolations({ $ref: `#/components/schemas/${kind}Answer` }, answer, 'answer')).toEqual([])
  })
})

describe('2.4 the body of every error', () => {
  test.each(describeErrors('http://localhost:8080'))('$name matches its schema', ({ refusal }) => {
    expect(schemaViolations({ $ref: '#/components/schemas/Error' }, refusal.body, 'body')).toEqual([])
  })
})

describe('7 the variable parts of a message are marked', () => {
  test.each(describeErrors('{base_url}'))('$name', (error) => {
    const named = Object.entries(error.varies)
    const message = named.reduce((text, [value, name]) => text.replace(`<${name}>`, value), messageTemplate(error))
    expect(message).toBe(error.refusal.body.error)
    expect(named.filter(([value]) => messageTemplate(error).includes(value))).toEqual([])
  })
})
