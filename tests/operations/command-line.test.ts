import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createDatabaseForPooling, startPgBouncer } from '../support/pgbouncer.ts'
import { runInResident } from '../support/resident.ts'
import { ENVIRONMENT, REPOSITORY, runCommand } from '../support/server.ts'
import { sharedPostgres } from '../support/shared-postgres.ts'
import { usesPostgres } from '../support/store-selection.ts'
import { describeOnEachStore } from '../support/stores.ts'

describeOnEachStore('the operator’s command line', (server) => {
  test('keys create prints the token once, and one object with --json', async () => {
    const output = await server().cli(
      'keys',
      'create',
      '--account',
      'cli@example.com',
      '--plan',
      'pro',
      '--name',
      'first',
    )
    expect(output).toMatchObject({ code: 0, stderr: '' })
    expect(output.stdout).toMatch(/^kf_live_[0-9a-f]{64}\n/)
    const created = JSON.parse((await server().cli('keys', 'create', '--account', 'cli@example.com', '--json')).stdout)
    expect(Object.keys(created).sort()).toEqual(['account', 'createdAt', 'id', 'name', 'plan', 'prefix', 'token'])
    expect(created).toMatchObject({ account: 'cli@example.com', plan: 'pro', createdAt: expect.stringMatching(/Z$/) })
  })

  test('addresses of accounts are case-insensitive', async () => {
    await server().key('Case@Example.com', 'pro')
    await server().key('case@example.COM', 'pro')
    const keys = JSON.parse((await server().cli('keys', 'list', '--account', 'CASE@example.com', '--json')).stdout)
    expect(keys).toHaveLength(2)
  })

  test('keys list shows the prefix, name and revocation of keys, but no tokens', async () => {
    const { id, token, prefix } = await server().key('list@example.com')
    await server().cli('keys', 'revoke', id)
    const table = await server().cli('keys', 'list', '--account', 'list@example.com')
    expect(table.stdout).toContain(prefix)
    expect(table.stdout).not.toContain(token)
    const [key] = JSON.parse((await server().cli('keys', 'list', '--account', 'list@example.com', '--json')).stdout)
    expect(key).toMatchObject({ id, prefix, plan: 'pro', revokedAt: expect.stringMatching(/Z$/) })
  })

  test('--plan changes the plan of an existing account', async () => {
    await server().key('moving@example.com', 'free')
    await server().key('moving@example.com', 'starter')
    const accounts = JSON.parse((await server().cli('accounts', 'list', '--json')).stdout)
    expect(accounts).toContainEqual(expect.objectContaining({ email: 'moving@example.com', plan: 'starter' }))
  })

  test('usage prints the month by account, and with --events the calls, oldest first', async () => {
    const { token, id, prefix } = await server().key('usage@example.com')
    await server().call({ token, body: { mode: 'lines', data: 'a\na\nb' } })
    await server().call({ token, body: '{' })
    await server().call({ token, body: { mode: 'json', data: [1] } })
    const events = await server().events('usage@example.com')
    const common = { account: 'usage@example.com', keyId: id, keyPrefix: prefix }
    expect(events).toMatchObject([
      { ...common, mode: 'lines', rows: 3, removed: 1, units: 3, status: 200 },
      { ...common, mode: null, rows: null, removed: null, units: 0, status: 400 },
      { ...common, mode: 'json', rows: 1, removed: 0, units: 1, status: 200 },
    ])
    expect(Object.keys(events[0] ?? {}).sort()).toEqual(
      ['account', 'at', 'durationMs', 'keyId', 'keyPrefix', 'mode', 'removed', 'rows', 'status', 'units'].sort(),
    )
    const [month] = JSON.parse((await server().cli('usage', '--account', 'usage@example.com', '--json')).stdout)
    expect(month).toMatchObject({ account: 'usage@example.com', plan: 'pro', used: 4, limit: 300_000 })
    const table = await server().cli('usage', '--account', 'usage@example.com', '--events')
    expect(table.stdout.split('\n')).toHaveLength(5)
    const other = await server().cli(
      'usage',
      '--account',
      'usage@example.com',
      '--month',
      '2020-01',
      '--events',
      '--json',
    )
    expect(JSON.parse(other.stdout)).toEqual([])
  })

  test.each([
    { args: ['keys', 'revoke', 'nothing'], message: 'no key nothing' },
    { args: ['keys', 'list', '--account', 'nobody@example.com'], message: 'no account nobody@example.com' },
    { args: ['accounts', 'set-plan', 'nobody@example.com', 'pro'], message: 'no account nobody@example.com' },
    { args: ['accounts', 'password', 'nobody@example.com'], message: 'no account nobody@example.com' },
    { args: ['accounts', 'export', 'nobody@example.com'], message: 'no account nobody@example.com' },
    { args: ['accounts', 'delete', 'nobody@example.com'], message: 'no account nobody@example.com' },
    { args: ['usage', '--account', 'nobody@example.com'], message: 'no account nobody@example.com' },
    { args: ['usage', '--events', '--account', 'nobody@example.com'], message: 'no account nobody@example.com' },
    { args: ['usage', '--verify', '--account', 'nobody@example.com'], message: 'no account nobody@example.com' },
  ])('$args: exit code 1, with a reason on standard error', async ({ args, message }) => {
    const result = await server().cli(...args)
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toContain(message)
    expect(result.stderr).not.toMatch(/^\s+at /m)
  })
})

test.runIf(usesPostgres)('behind a pooler in transaction mode, operators’ commands work as well', async () => {
  const address = await createDatabaseForPooling(await sharedPostgres())
  const pooler = await startPgBouncer(address)
  const env = { ...ENVIRONMENT, DATABASE_URL: pooler.through(address), DATABASE_POOLER: 'transaction' }
  const created = await runCommand(['keys', 'create', '--account', 'pooled@example.com'], env, REPOSITORY)
  expect(created).toMatchObject({ code: 0, stderr: '' })
  const list = await runCommand(['keys', 'list'], env, REPOSITORY)
  expect(list.stdout).toContain('pooled@example.com')
  await pooler.stop()
})

test.each([
  { args: ['accounts', 'set-plan', 'nobody@example.com', 'platinum'], message: 'platinum' },
  { args: ['keys', 'create'], message: '--account' },
  { args: ['keys', 'create', '--account', 'a@example.com', '--plan', 'keyless'], message: 'keyless' },
  { args: ['keys', 'create', '--account', 'no address'], message: 'an email address' },
  { args: ['keys', 'create', '--account', 'a@example.com', '--name', 'x'.repeat(101)], message: '100 characters' },
  { args: ['keys', 'create', '--account', 'a@example.com', '--name', 'a\nb'], message: 'no control characters' },
  { args: ['usage', '--month', '2026-13'], message: 'YYYY-MM' },
  { args: ['usage', '--events', '--verify'], message: "'--verify' cannot be used with option '--events'" },
  // An unset variable of a shell: never all accounts.
  { args: ['keys', 'create', '--account', ''], message: 'an email address' },
  { args: ['keys', 'list', '--account', ''], message: 'an email address' },
  { args: ['accounts', 'set-plan', '', 'pro'], message: 'an email address' },
  { args: ['accounts', 'password', ''], message: 'an email address' },
  { args: ['accounts', 'export', ''], message: 'an email address' },
  { args: ['accounts', 'delete', ''], message: 'an email address' },
  { args: ['usage', '--account', ''], message: 'an email address' },
  { args: ['usage', '--verify', '--account', ''], message: 'an email address' },
  { args: ['usage', '--month', ''], message: 'YYYY-MM' },
  { args: ['nonsense'], message: 'nonsense' },
  ...[
    ['keys', 'create', '--account', 'a@example.com', '--account', 'b@example.com'],
    ['keys', 'create', '--account', 'a@example.com', '--plan', 'free', '--plan', 'pro'],
    ['keys', 'create', '--account', 'a@example.com', '--name', 'one', '--name', 'two'],
    ['keys', 'list', '--account', 'a@example.com', '--account', 'a@example.com'],
    ['usage', '--month', '2026-10', '--month', '2026-11'],
  ].map((args) => ({ args, message: 'Give this flag only once.' })),
])('$args: a usage error has exit code 2, with a reason on standard error', async ({ args, message }) => {
  const result = await runInResident({ program: 'operator', folder: REPOSITORY, env: ENVIRONMENT, args })
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toContain(message)
  expect(result.stderr).not.toMatch(/^\s+at /m)
})

test.each([
  'serve',
  'keys',
  'keys create',
  'keys list',
  'keys revoke',
  'accounts',
  'accounts list',
  'accounts set-plan',
  'usage',
  'lines',
  'rows',
  'json',
])('%s --help shows usage, examples, environment and exit codes', async (command) => {
  const args = [...command.split(' '), '--help']
  const { code, stdout } = await runInResident({ program: 'operator', folder: REPOSITORY, env: ENVIRONMENT, args })
  expect(code).toBe(0)
  for (const part of [`Usage: keepfirst ${command}`, 'Examples:', 'Environment:', 'Exit codes:']) {
    expect(stdout).toContain(part)
  }
})

test('the command that npm links has both the local commands and those for operators', async () => {
  const { stdout } = await promisify(execFile)(join(REPOSITORY, 'node_modules/.bin/keepfirst'), ['--help'])
  expect(stdout).toContain('Usage: keepfirst')
  for (const command of ['lines', 'rows', 'json', 'serve', 'keys', 'accounts', 'usage']) {
    expect(stdout).toMatch(new RegExp(`^ +${command}\\b`, 'm'))
  }
})
