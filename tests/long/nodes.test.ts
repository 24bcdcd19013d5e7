import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fetchNode, type OtherNode } from '../support/nodes.ts'
import { type Packed, pack, packSqlite } from '../support/packages.ts'
import { removeFolder, startServer } from '../support/server.ts'
import { runSuites } from '../support/suites.ts'

/** All major versions in use, from the oldest that `engines` allows. */
const VERSIONS = [20, 22, 24, 26]
/** The specification's suite, and the suites that write to both databases. */
const SUITES = ['tests/spec', 'packages/service/test/store']

let folder: string
let packed: readonly Packed[]
let sqlite: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepfirst-nodes-'))
  packed = await pack(['engine', 'protocol', 'cli', 'service'], folder)
  sqlite = await packSqlite(folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a program; returns what it prints to standard output and standard error. */
function outputOf(node: OtherNode, cwd: string, [program = '', ...args]: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    // The test runner has set BASE_URL for itself, and npm has set INIT_CWD.
    execFile(
      program,
      args,
      { cwd, env: { ...node.env, BASE_URL: '', INIT_CWD: cwd }, maxBuffer: 1 << 28 },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${program} ${args.join(' ')}\n${stdout}\n${stderr}`.slice(-8_000)))
        else resolve(`${stdout}${stderr}`)
      },
    )
  })
}

describe.each(VERSIONS)('Node.js %i', (major) => {
  let node: OtherNode
  beforeAll(async () => {
    node = await fetchNode(major)
  })
  afterAll(() => node.remove())

  test('the packages can be installed into an empty project without warnings, and work', async () => {
    const project = join(folder, `project-${major}`)
    await mkdir(project)
    const dependencies = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`]))
    const optionalDependencies = { '@keepfirst/sqlite': `file:${sqlite}` }
    await writeFile(
      join(project, 'package.json'),
      JSON.stringify({ private: true, dependencies, optionalDependencies }),
    )
    const install = ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts=false']
    expect(await outputOf(node, project, install)).not.toMatch(/warn|deprecated/i)
    const command = join(project, 'node_modules/keepfirst/bin/keepfirst.js')
    expect(await outputOf(node, project, [node.path, command, '--version'])).toMatch(/^\d+\.\d+\.\d+\n$/)
    const server = await startServer({ command, node: node.path })
    const answer = await server.call({ body: { mode: 'lines', data: 'a\nb\na' } })
    expect(answer.json).toMatchObject({ result: ['a', 'b'] })
    await server.stop()
    const created = await outputOf(node, project, [
      node.path,
      command,
      'keys',
      'create',
      '--account',
      'a@example.com',
      '--json',
    ])
    expect(JSON.parse(created)).toMatchObject({ account: 'a@example.com', plan: 'free' })
  })

  test.skipIf(process.version.startsWith(`v${major}.`))('the suites pass', async () => {
    await runSuites(SUITES, node.env, node.path)
  })
})

test('a Node.js with and one without built-in SQLite can use the same file at the same time', async () => {
  const other = await fetchNode(Number.parseInt(process.versions.node, 10) < 24 ? 24 : 22)
  const server = await startServer({ node: other.path })
  // Keys and events are written and read by this process, with its own SQLite.
  const { token } = await server.key('nodes@example.com')
  const body = { mode: 'lines', data: 'a\nb\na' }
  expect(await server.call({ token, body })).toMatchObject({ status: 200, json: { result: ['a', 'b'] } })
  expect(await server.events('nodes@example.com')).toMatchObject([{ units: 3, removed: 1, status: 200 }])
  expect((await server.cli('usage', '--verify')).code).toBe(0)
  await server.stop()
  expect((await server.log()).split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([])
  await removeFolder(server.folder)
  await other.remove()
})
