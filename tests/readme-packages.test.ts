import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programOf, sessionsOf } from './support/examples.ts'
import { Sandbox } from './support/local.ts'
import { installInto, pack, run, tool } from './support/packages.ts'
import { REPOSITORY, type RunningServer, removeFolder, startServer } from './support/server.ts'

const LIBRARIES = ['engine', 'protocol', 'client']
const readme = (name: string) => readFile(join(REPOSITORY, 'packages', name, 'README.md'), 'utf8')

let server: RunningServer
let folder: string
let project: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepfirst-readmes-'))
  project = join(folder, 'project')
  await installInto(project, await pack(LIBRARIES, folder))
  server = await startServer()
  process.env.KEEPFIRST_KEY = (await server.key('readme@example.com')).token
})
afterAll(async () => {
  await server?.stop()
  await removeFolder(server.folder)
  await rm(folder, { recursive: true, force: true })
})

describe('examples in the README of a library', () => {
  test.each(LIBRARIES)('%s: compile, and evaluate to what their comments say', async (name) => {
    const program = programOf(await readme(name)).replaceAll('http://localhost:8080', server.baseUrl)
    const declared = 'declare const process: { env: Record<string, string> }\n'
    await writeFile(join(project, `${name}.mts`), `${declared}${program}`)
    const host = ['--target', 'es2023', '--lib', 'es2023,dom', '--module', 'nodenext']
    await run(project, tool('tsc'), ['--noEmit', '--strict', ...host, '--ignoreConfig', `${name}.mts`])
    const { outputText } = ts.transpileModule(program, { compilerOptions: { target: ts.ScriptTarget.ES2023 } })
    await writeFile(join(project, `${name}.mjs`), outputText)
    const examples: [unknown, unknown][] = JSON.parse(await run(project, process.execPath, [`${name}.mjs`]))
    expect(examples.length).toBeGreaterThan(2)
    expect(examples.map(([actual]) => actual)).toEqual(examples.map(([, expected]) => expected))
  })
})

describe('examples in the README of keepfirst', async () => {
  test.each(sessionsOf(await readme('service')))('$title', async ({ commands, output }) => {
    const sandbox = new Sandbox()
    // The package is already installed, and the service running.
    const script = commands.filter((line) => !/^npm install |serve &$/.test(line)).join('\n')
    try {
      const { stdout } = await sandbox.shell(script.replaceAll('localhost:8080', `127.0.0.1:${server.port}`))
      expect(stdout.trim()).toBe(output.trim())
    } finally {
      sandbox.clear()
    }
  })
})
