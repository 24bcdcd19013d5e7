import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REPOSITORY, type RunningServer, startServer } from './support/server.ts'

/*
 * Adds a made-up plan and a made-up option to the tables, and nothing else, in a copy of the packages, and checks that
 * they appear wherever plans and options do.
 */

const run = promisify(execFile)

const OPTION = `madeUp: {
        type: 'number', default: 3, minimum: 1, maximum: 9, title: 'Made up', description: 'Was made up.',
      },`
const PLAN = `team: {
    name: 'team', title: 'Team', bodyCap: '7 MB', bodyBytes: 7 * MB, allowance: { units: 1_234_567, per: 'month' },
    unitsPerRequest: 60_000, burst: { requests: 77, windowSeconds: 60 }, activeKeys: 2, pricePerMonth: 99,
  },`

let copy: string
let server: RunningServer
beforeAll(async () => {
  copy = await copyPackages()
  await edit('modes.ts', '      dropEmpty: {', (found) => `${OPTION}\n${found}`)
  await edit('plans.ts', "'free' | 'starter' | 'pro'", (found) => `${found} | 'team'`)
  await edit('plans.ts', '\n}\n\n/** The plans of accounts', (found) => `\n  ${PLAN}${found}`)
  await tool('@typescript/native/bin/tsc', 'packages/protocol', '-p', '.')
  await tool('tsx/dist/cli.mjs', 'packages/service', 'build/bundle.ts')
  await tool('tsx/dist/cli.mjs', 'packages/cli', 'build/shell.ts')
  await tool('vite/bin/vite.js', 'packages/web', 'build', '--logLevel', 'warn')
  await tool('vite/bin/vite.js', 'packages/web', 'build', '--config', 'vite.render.ts', '--logLevel', 'warn')
  server = await startServer({ command: join(copy, 'packages/service/bin/keepfirst.js') })
})
afterAll(async () => {
  await server.stop()
  await rm(copy, { recursive: true, force: true })
})

/** A copy of the packages with their build output, in a folder that shares all third-party modules. */
async function copyPackages(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keepfirst-tables-'))
  const left = new Set(['node_modules', '.git', 'tests', 'bench'].map((name) => join(REPOSITORY, name)))
  const filter = (source: string): boolean => !left.has(source) && !source.endsWith('/node_modules')
  await cp(REPOSITORY, folder, { recursive: true, filter })
  for (const of of ['.', ...(await readdir(join(REPOSITORY, 'packages'))).map((name) => `packages/${name}`)])
    await shareModules(folder, of)
  return folder
}

/** Links to all third-party modules, and to our packages in the copy. */
async function shareModules(folder: string, of: string): Promise<void> {
  const modules = join(REPOSITORY, of, 'node_modules')
  const names = await readdir(modules).catch(() => [])
  for (const name of names.filter((name) => name !== 'keepfirst' && name !== '@keepfirst'))
    await link(join(modules, name), join(folder, of, 'node_modules', name))
  if (of !== '.') return
  for (const name of await readdir(join(modules, '@keepfirst')))
    await link(join(folder, 'packages', name), join(folder, 'node_modules/@keepfirst', name))
}

async function link(to: string, from: string): Promise<void> {
  await mkdir(dirname(from), { recursive: true })
  await symlink(to, from)
}

async function edit(file: string, search: string, replacement: (found: string) => string): Promise<void> {
  const path = join(copy, 'packages/protocol/src', file)
  const text = await readFile(path, 'utf8')
  expect(text).toContain(search)
  await writeFile(path, text.replace(search, replacement))
}

function tool(name: string, folder: string, ...args: string[]): Promise<unknown> {
  return run(process.execPath, [join(REPOSITORY, 'node_modules', name), ...args], { cwd: join(copy, folder) })
}

const page = async (path: string) => (await server.call({ method: 'GET', path })).text

describe('an option that is only in the table', () => {
  test('is validated by the API', async () => {
    const body = (madeUp: number) => ({ mode: 'lines', data: 'a', options: { madeUp } })
    expect((await server.call({ body: body(10) })).json).toEqual({
      error: 'madeUp must be a number between 1 and 9',
    })
    expect((await server.call({ body: body(9) })).status).toBe(200)
  })

  test('is in the API description', async () => {
    expect(JSON.parse(await page('/api/openapi.json'))).toHaveProperty(
      'components.schemas.LinesOptions.properties.madeUp',
      { type: 'number', minimum: 1, maximum: 9, default: 3, description: 'Was made up.' },
    )
    expect(await page('/api')).toContain('Was made up.')
  })

  test.each(['/api/openapi.json', '/api'])('has its error message on %s', async (path) => {
    expect(await page(path)).toContain('madeUp must be a number between 1 and 9')
  })

  test('is on the try-it page', async () => {
    expect(await page('/')).toContain('Made up')
  })

  test('is a flag of the command line, with help, completions and a manual entry', async () => {
    const { stdout } = await run(process.execPath, [join(copy, 'packages/cli/bin/keepfirst.js'), 'lines', '--help'])
    expect(stdout).toContain('--made-up <number>')
    const written = await readdir(join(copy, 'packages/cli/dist'), { recursive: true })
    const shellFiles = written.filter((name) => /^(?:completions|man)\/./.test(name))
    expect(shellFiles).toHaveLength(4)
    for (const name of shellFiles) {
      const text = await readFile(join(copy, 'packages/cli/dist', name), 'utf8')
      expect(text.replaceAll('\\-', '-'), name).toContain('made-up')
    }
  })

  test('is in the types of the client', async () => {
    const program = (options: string) =>
      `import { Keepfirst } from '@keepfirst/client'\nnew Keepfirst({ baseUrl: 'http://a' }).lines('a', ${options})\n`
    const check = async (options: string) => {
      await writeFile(join(copy, 'program.mts'), program(options))
      const flags = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'NodeNext']
      await tool('@typescript/native/bin/tsc', '.', ...flags, '--target', 'ES2023', 'program.mts')
    }
    await check('{ madeUp: 4 }')
    await expect(check("{ madeUp: '4' }")).rejects.toThrow()
  })
})

describe('a plan that is only in the table', () => {
  test('can be assigned, and its limits apply', async () => {
    const created = await server.cli('keys', 'create', '--account', 'team@example.com', '--plan', 'team', '--json')
    expect(created).toMatchObject({ code: 0 })
    const { token } = JSON.parse(created.stdout)
    const refused = await server.call({ token, body: { mode: 'lines', data: '\n'.repeat(60_000) } })
    expect(refused.json).toEqual({
      error: 'request too large: 60001 units, over the 60000-unit Team per-request limit',
      units: 60_001,
      limit: 60_000,
    })
  })

  test.each(['/', '/api'])('is shown on %s', async (path) => {
    expect(await page(path)).toContain('77 per minute')
  })

  test('appears in the descriptions of endpoints', async () => {
    expect(await page('/api/openapi.json')).toContain('30,000 on Team')
  })
})
