import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ENVIRONMENT, runCommand } from '../support/server.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepfirst-settings-'))
})

describe('an invalid setting ends the server with one line that names it, and exit code 1', () => {
  test.each([
    { name: 'PORT', value: 'http' },
    { name: 'PORT', value: '0' },
    { name: 'PORT', value: '65536' },
    { name: 'PORT', value: '80.5' },
    { name: 'BASE_URL', value: 'dedupe.example.com' },
    { name: 'BASE_URL', value: 'ftp://dedupe.example.com' },
    { name: 'BASE_URL', value: 'https://dedupe.example.com/?a=b' },
    { name: 'BASE_URL', value: 'https://dedupe.example.com?' },
    { name: 'BASE_URL', value: 'https://dedupe.example.com/#' },
    { name: 'BASE_URL', value: 'https://:password@dedupe.example.com' },
    { name: 'DATABASE_URL', value: 'mysql://localhost/db' },
    { name: 'DATABASE_URL', value: 'sqlite:' },
    { name: 'DATABASE_CONNECTIONS', value: '3' },
    { name: 'DATABASE_POOLER', value: 'session' },
    { name: 'PENDING_FILE', value: '/' },
    { name: 'PENDING_FILE', value: '/dev/null/pending' },
    { name: 'PENDING_FILE', value: '/proc/self/pending' },
    { name: 'PENDING_FILE', value: '/proc/self/new/pending' },
    { name: 'TOKEN_PREFIX', value: 'longer' },
    { name: 'TOKEN_PREFIX', value: 'k-f' },
    { name: 'TRUST_PROXY', value: 'proxy.example.com' },
    { name: 'TRUST_PROXY', value: '10.0.0.0/33' },
    { name: 'DNS_SERVERS', value: '1.2.3.4:99999' },
    { name: 'DNS_SERVERS', value: 'resolver.example.com' },
    { name: 'VALIDATE_DNS_SECONDS', value: '-1' },
    { name: 'DISPOSABLE_EXTRA', value: '/nowhere/at/all' },
    { name: 'SIGNUP', value: 'maybe' },
    { name: 'LEGAL_URL', value: 'javascript:alert(1)' },
    { name: 'LEGAL_URL', value: 'example.com/imprint' },
    { name: 'AUTH_SECRET', value: 'too short to sign anything with' },
    { name: 'FUZZY_SECONDS', value: 'long' },
    { name: 'EVENT_DAYS', value: '0' },
    { name: 'BODY_MEMORY_MB', value: '1' },
    { name: 'DRAIN_SECONDS', value: '-1' },
    { name: 'METRICS_PORT', value: 'x' },
    { name: 'LOG_LEVEL', value: 'loud' },
  ])('$name=$value', async ({ name, value }) => {
    const env = { ...ENVIRONMENT, DATABASE_URL: `sqlite:${folder}/keepfirst.db`, [name]: value }
    const { code, stderr } = await runCommand(['serve'], env, folder)
    expect(code).toBe(1)
    expect(stderr).toMatch(new RegExp(`^keepfirst: ${name} [^\\n]+\\n$`))
  })

  test('PostgreSQL without AUTH_SECRET', async () => {
    const env = { ...ENVIRONMENT, AUTH_SECRET: '', DATABASE_URL: 'postgres://127.0.0.1:1/none' }
    const { code, stderr } = await runCommand(['serve'], env, folder)
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^keepfirst: AUTH_SECRET [^\n]+\n$/),
    })
  })

  test('a database that does not answer (one line, without its password)', async () => {
    const env = {
      ...ENVIRONMENT,
      AUTH_SECRET: 'long enough for every kind of session',
      DATABASE_URL: 'postgres://someone:hush-hush@127.0.0.1:1/none',
    }
    const { code, stderr } = await runCommand(['serve'], env, folder)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^keepfirst: [^\n]*database[^\n]*\n$/i)
    expect(stderr).not.toContain('hush-hush')
  })
})
