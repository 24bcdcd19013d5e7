import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND, REPOSITORY, type RunningServer, startServer } from '../support/server.ts'
import { sharedPostgres } from '../support/shared-postgres.ts'

/*
 * An upgrade, a rollback and another upgrade, from and to the last commit before the newest schema migration. That
 * version is built in a separate folder.
 */

const MIGRATIONS = 'packages/service/src/store/migrations'
/** On the same file system, so that installed packages can be linked instead of copied. */
const BEFORE = join(REPOSITORY, 'node_modules/.cache/program-before')
const CALLS = 5
const ROWS = 3

async function run(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(command, args, { cwd, maxBuffer: 1 << 28 })).stdout.trim()
}

beforeAll(async () => {
  const newest =
    (await readdir(join(REPOSITORY, MIGRATIONS)))
      .filter((name) => /^\d/.test(name))
      .sort()
      .at(-1) ?? ''
  const added = await run(
    REPOSITORY,
    'git',
    'log',
    '-1',
    '--format=%H',
    '--diff-filter=A',
    '--',
    join(MIGRATIONS, newest),
  )
  await rm(BEFORE, { recursive: true, force: true })
  await mkdir(BEFORE, { recursive: true })
  const script = `git -C "$0" archive "$1^" | tar -x
    for folder in . packages/*; do
      [ ! -d "$0/$folder/node_modules" ] || (mkdir -p "$folder/node_modules" && cd "$0/$folder/node_modules" &&
        find . -mindepth 1 -maxdepth 1 -not -name .cache -exec cp -al -t "$OLDPWD/$folder/node_modules" {} +)
    done
    npm run build:kernel && npm run build:packages`
  await run(BEFORE, 'bash', '-euc', script, REPOSITORY, added)
})
afterAll(() => rm(BEFORE, { recursive: true, force: true }))

const PROGRAMS = [
  { name: 'before', command: join(BEFORE, 'packages/service/bin/keepfirst.js') },
  { name: 'after', command: COMMAND },
]
const ACCOUNT = 'rollback@example.com'

describe.each([
  { kind: 'sqlite', create: async () => undefined },
  { kind: 'postgres', create: async () => (await sharedPostgres()).createDatabase() },
])('$kind', ({ create }) => {
  test('an upgrade, a rollback and another upgrade lose no keys or calls', async () => {
    let databaseUrl = await create()
    let server: RunningServer | undefined
    let token: string | undefined
    for (const { command } of [...PROGRAMS, ...PROGRAMS]) {
      server = await startServer({ command, ...(databaseUrl === undefined ? {} : { databaseUrl }) })
      databaseUrl = server.databaseUrl
      token ??= JSON.parse(
        (await server.cli('keys', 'create', '--account', ACCOUNT, '--plan', 'pro', '--json')).stdout,
      ).token
      const credentials = { token: token ?? '' }
      for (let call = 0; call < CALLS; call += 1) {
        expect((await server.call({ ...credentials, body: { mode: 'lines', data: 'a\nb\na' } })).json).toMatchObject({
          removed: 1,
        })
      }
      expect((await server.call({ ...credentials, body: { mode: 'none' } })).status).toBe(400)
      await server.stop()
    }
    const { openDatabase } = await import('../../packages/service/dist/store/open.js')
    const { store } = await openDatabase(databaseUrl ?? '', randomBytes)
    const account = await store.findAccount(ACCOUNT)
    const days = await store.days({ accountId: account?.id ?? '', month: new Date().toISOString().slice(0, 7) })
    const total = (name: 'calls' | 'rows' | 'removed' | 'units' | 'refused'): number =>
      days.reduce((sum, day) => sum + day[name], 0)
    const calls = 2 * PROGRAMS.length * CALLS
    expect({ calls: total('calls'), rows: total('rows'), removed: total('removed'), units: total('units') }).toEqual({
      calls,
      rows: calls * ROWS,
      removed: calls,
      units: calls * ROWS,
    })
    expect(total('refused')).toBe(2 * PROGRAMS.length)
    expect(await store.imbalances()).toEqual([])
    await store.close()
  })
})
