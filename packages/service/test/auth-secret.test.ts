import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { COMMAND, ENVIRONMENT } from '../../../tests/support/server.ts'
import { readSecrets } from '../src/auth-secret.ts'
import { readConfig } from '../src/config.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepfirst-secret-'))
  file = join(folder, 'auth-secret')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const secrets = (env: NodeJS.ProcessEnv = {}) =>
  readSecrets(readConfig({ DATABASE_URL: `sqlite:${folder}/keepfirst.db`, ...env }), randomBytes)

describe('the secret of an installation', () => {
  test('is created once, readable only by this user, without other files', async () => {
    const made = await secrets()
    expect(made.sessions).toMatch(/^[0-9a-f]{64}$/)
    expect(await secrets()).toEqual(made)
    expect(readFileSync(file, 'utf8')).toBe(made.sessions)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['auth-secret'])
  })

  test('is the same for all processes that start at the same moment', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => secrets()))
    expect(new Set(made.map(({ sessions }) => sessions)).size).toBe(1)
    expect(readdirSync(folder)).toEqual(['auth-secret'])
  })

  test('is AUTH_SECRET if the operator sets it', async () => {
    const given = 'a secret of the tests, long enough for anyone'
    expect((await secrets({ AUTH_SECRET: given })).sessions).toBe(given)
    expect(readdirSync(folder)).toEqual([])
  })

  test.each([
    { name: 'an empty file, as a full disk may leave it', content: '' },
    { name: 'half of a secret', content: 'a'.repeat(31) },
    { name: 'white space', content: ' '.repeat(64) },
  ])('has at least 32 characters: $name prevents the start', async ({ content }) => {
    writeFileSync(file, content)
    await expect(secrets()).rejects.toThrow(/^AUTH_SECRET: .*auth-secret holds fewer than 32 characters; remove it/)
    expect(readFileSync(file, 'utf8')).toBe(content)
  })

  test('is never written partially: if nothing can be written, the start fails and leaves no file', () => {
    const serve = `trap '' XFSZ; ulimit -f 0; exec "${process.execPath}" "${COMMAND}" serve`
    const env = { ...ENVIRONMENT, DATABASE_URL: `sqlite:${folder}/keepfirst.db` }
    const { status, stderr } = spawnSync('sh', ['-c', serve], { env, encoding: 'utf8' })
    expect(stderr).toMatch(/^keepfirst: AUTH_SECRET: cannot store one in .*auth-secret \(EFBIG\)\n$/)
    expect(status).toBe(1)
    expect(readdirSync(folder)).toEqual([])
  })

  test.each(['a file', 'a folder'])('prevents the start if %s is in its place', async (what) => {
    const place = join(folder, 'place')
    if (what === 'a file') writeFileSync(place, '')
    else mkdirSync(join(place, 'auth-secret'), { recursive: true })
    await expect(secrets({ DATABASE_URL: `sqlite:${place}/keepfirst.db` })).rejects.toThrow(
      /^AUTH_SECRET: .* \(E[A-Z]+\)$/,
    )
  })

  test('must be set with PostgreSQL', async () => {
    await expect(secrets({ DATABASE_URL: 'postgres://h/d' })).rejects.toThrow('AUTH_SECRET must be set with PostgreSQL')
  })
})

describe('the key for hashing network addresses', () => {
  test('is derived from the secret, differs from it, and differs for another secret', async () => {
    const [one, again] = await Promise.all(['a', 'a'].map((letter) => secrets({ AUTH_SECRET: letter.repeat(32) })))
    const other = await secrets({ AUTH_SECRET: 'b'.repeat(32) })
    expect(one?.addresses).toHaveLength(32)
    expect(again?.addresses).toEqual(one?.addresses)
    expect(other.addresses).not.toEqual(one?.addresses)
    expect(Buffer.from(one?.addresses ?? []).toString()).not.toContain('aaaa')
  })
})
