import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { programOf } from './support/examples.ts'
import { bundle, installInto, type Packed, pack, run, tool } from './support/packages.ts'
import { PUBLISHED, unwantedFiles } from './support/release.ts'
import { REPOSITORY, type RunningServer, startServer } from './support/server.ts'

/*
 * The packages as users get them: packed, installed into an empty project, and imported from every kind of module.
 */

const LIBRARIES = ['engine', 'protocol', 'client'] as const
type Package = (typeof PUBLISHED)[number]

// Compilers and package managers run as separate programs and start slowly on a busy machine.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

let folder: string
let project: string
let packed: readonly Packed[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepfirst-packages-'))
  project = join(folder, 'project')
  packed = await pack(PUBLISHED, folder)
  await installInto(project, LIBRARIES.map(packedAs))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function packedAs(name: Package): Packed {
  const found = packed[PUBLISHED.indexOf(name)]
  if (!found) throw new Error(`${name} was not packed`)
  return found
}

async function manifestOf(name: Package): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(REPOSITORY, 'packages', name, 'package.json'), 'utf8'))
}

const write = (path: string, text: string) => writeFile(join(project, path), text)

describe('content of the packages', () => {
  test.each(PUBLISHED)('%s: documents and code, but no build files', (name) => {
    const { paths } = packedAs(name)
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
    expect(unwantedFiles(paths)).toEqual([])
  })

  test.each(LIBRARIES)('%s: all sources that source maps refer to', (name) => {
    const { paths } = packedAs(name)
    const maps = paths.filter((path) => path.endsWith('.js.map'))
    expect(maps.length).toBeGreaterThan(0)
    const sources = maps.map((path) => path.replace(/^dist(.*)\.js\.map$/, 'src$1.ts'))
    expect(sources.filter((source) => !paths.includes(source))).toEqual([])
  })

  test.each([
    { what: 'its command', path: 'bin/keepfirst.js' },
    { what: 'the code that the command runs', path: 'bundle/main.js' },
    { what: 'the licences of what is bundled', path: 'bundle/LICENSES.txt' },
    { what: 'the built pages', path: 'dist/pages/index.html' },
    { what: 'the page for keys', path: 'dist/pages/app/keys/index.html' },
    { what: 'a manual page', path: 'dist/man/keepfirst.1' },
    { what: 'completions', path: 'dist/completions/keepfirst.bash' },
  ])('keepfirst: $what', ({ path }) => {
    expect(packedAs('service').paths).toContain(path)
  })

  test.each(PUBLISHED)('%s: no install scripts', async (name) => {
    const { scripts } = await manifestOf(name)
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'prepack']
    expect(Object.keys(scripts ?? {}).filter((script) => hooks.includes(script))).toEqual([])
  })

  test.each(PUBLISHED)('%s: depends on the current versions of our other packages', async (name) => {
    const { dependencies } = await manifestOf(name)
    const versions = Object.fromEntries(PUBLISHED.map(packedAs).map((sibling) => [sibling.name, sibling.version]))
    const siblings = Object.entries(dependencies ?? {}).filter(([dependency]) => dependency in versions)
    expect(siblings).toEqual(siblings.map(([dependency]) => [dependency, versions[dependency]]))
  })

  test.each(PUBLISHED)("%s: the repository's licence", async (name) => {
    const licence = await readFile(join(REPOSITORY, 'LICENSE'), 'utf8')
    expect(await readFile(join(REPOSITORY, 'packages', name, 'LICENSE'), 'utf8')).toBe(licence)
  })

  test.each(PUBLISHED)('%s: publint reports nothing', async (name) => {
    expect(await run(project, tool('publint'), [packedAs(name).tarball, '--strict'])).toContain('All good!')
  })

  test.each(LIBRARIES)('%s: types resolve with every supported module resolution', async (name) => {
    await run(project, tool('attw'), [packedAs(name).tarball, '--profile', 'esm-only'])
  })
})

const DEDUPE_LINES = `
  const kept = engine.dedupeLines('b\\na\\nb').result
  const similar = fuzzy.judgeFuzzy(['John Smith', 'Smith, John'], 0.9).kept
  const client = new Keepfirst({ baseUrl: 'http://localhost:1' })
  console.log(JSON.stringify([kept, similar, protocol.PLANS.free.unitsPerRequest, typeof client.lines, typeof stream.siftLines]))
`
const PRINTED = '[["b","a"],1,200,"function","function"]\n'
const IMPORTS = `
  import * as engine from '@keepfirst/engine'
  import * as fuzzy from '@keepfirst/engine/fuzzy'
  import * as stream from '@keepfirst/engine/stream'
  import * as protocol from '@keepfirst/protocol'
  import { Keepfirst } from '@keepfirst/client'
`
const REQUIRES = `
  const engine = require('@keepfirst/engine')
  const fuzzy = require('@keepfirst/engine/fuzzy')
  const stream = require('@keepfirst/engine/stream')
  const protocol = require('@keepfirst/protocol')
  const { Keepfirst } = require('@keepfirst/client')
`

describe('installed into an empty project', () => {
  test.each([
    { name: 'an ES module', file: 'esm.mjs', source: IMPORTS + DEDUPE_LINES },
    { name: 'CommonJS, by requiring ES modules', file: 'cjs.cjs', source: REQUIRES + DEDUPE_LINES },
  ])('$name', async ({ file, source }) => {
    await write(file, source)
    expect(await run(project, process.execPath, [file])).toBe(PRINTED)
  })

  test.each([
    { name: 'TypeScript for Node', file: 'node.mts', module: 'nodenext', source: IMPORTS },
    { name: 'TypeScript for a bundler', file: 'bundler.mts', module: 'esnext', source: IMPORTS },
    {
      name: 'TypeScript as CommonJS',
      file: 'common.cts',
      module: 'nodenext',
      source: IMPORTS.replaceAll(/import \* as (\w+) from (.*)/g, 'import $1 = require($2)'),
    },
  ])('$name, with strict checks', async ({ file, module, source }) => {
    const typeChecks = `
      const people: Promise<{ result: { id: number }[] }> = client.json([{ id: 1 }], { key: 'id' })
      // @ts-expect-error: options are typed
      void client.lines('a', { trim: 'yes' })
      void people
    `
    await write(file, source + DEDUPE_LINES + typeChecks)
    const resolution = module === 'esnext' ? 'bundler' : module
    const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false']
    const host = ['--target', 'es2023', '--lib', 'es2023,dom', '--module', module, '--moduleResolution', resolution]
    await run(project, tool('tsc'), [...flags, ...host, '--ignoreConfig', file])
  })
})

describe('examples in the README of a library', () => {
  let server: RunningServer
  let token: string
  beforeAll(async () => {
    server = await startServer()
    token = (await server.key('readme@example.com')).token
  })
  afterAll(() => server.stop())

  test.each(LIBRARIES)('%s: compile, and evaluate to what their comments say', async (name) => {
    const readme = await readFile(join(REPOSITORY, 'packages', name, 'README.md'), 'utf8')
    const program = programOf(readme).replaceAll('http://localhost:8080', server.baseUrl)
    await write(`${name}.mts`, `declare const process: { env: Record<string, string> }\n${program}`)
    const host = ['--target', 'es2023', '--lib', 'es2023,dom', '--module', 'nodenext']
    await run(project, tool('tsc'), ['--noEmit', '--strict', ...host, '--ignoreConfig', `${name}.mts`])
    const { outputText } = ts.transpileModule(program, { compilerOptions: { target: ts.ScriptTarget.ES2023 } })
    await write(`${name}.mjs`, outputText)
    const printed = await run(project, process.execPath, [`${name}.mjs`], { KEEPFIRST_KEY: token })
    const examples: [unknown, unknown][] = JSON.parse(printed)
    expect(examples.length).toBeGreaterThan(2)
    expect(examples.map(([actual]) => actual)).toEqual(examples.map(([, expected]) => expected))
  })
})

describe('the command line on its own', () => {
  let folderOfCli: string
  beforeAll(async () => {
    folderOfCli = join(folder, 'cli')
    await installInto(folderOfCli, (['engine', 'protocol', 'cli'] as const).map(packedAs), true)
  })

  test('works, and has its manual page and completions', async () => {
    await writeFile(join(folderOfCli, 'people.csv'), 'id,name\n1,a\n2,a\n')
    const printed = await run(folderOfCli, join(folderOfCli, 'node_modules/.bin/keepfirst'), [
      'rows',
      '-k',
      'name',
      'people.csv',
    ])
    expect(printed).toBe('id,name\n1,a\n')
    expect(packedAs('cli').paths).toEqual(
      expect.arrayContaining([
        'dist/man/keepfirst.1',
        'dist/completions/_keepfirst',
        'dist/completions/keepfirst.fish',
      ]),
    )
  })

  test('is small, and has no native code or install scripts', async () => {
    const files = await readdir(join(folderOfCli, 'node_modules'), { recursive: true, withFileTypes: true })
    const sizes = await Promise.all(
      files.filter((file) => file.isFile()).map(async (file) => (await stat(join(file.parentPath, file.name))).size),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2 * 1_048_576)
    expect(files.filter(({ name }) => /\.(node|gyp)$/.test(name))).toEqual([])
    const manifests = files.filter(({ name }) => name === 'package.json')
    for (const { parentPath, name } of manifests) {
      const { scripts = {} } = JSON.parse(await readFile(join(parentPath, name), 'utf8'))
      expect(Object.keys(scripts).filter((script) => /^(pre|post)?install$/.test(script))).toEqual([])
    }
  })
})

describe('in a browser bundle', () => {
  const bundled = (name: string, specifier: string) =>
    bundle(project, name, `import * as all from '${specifier}'\nglobalThis.all = all`)

  test('importing only dedupeLines takes less than 20 KB compressed, without the fuzzy matcher', async () => {
    const source = "import { dedupeLines } from '@keepfirst/engine'\nglobalThis.dedupeLines = dedupeLines"
    const script = await bundle(project, 'lines', source)
    expect(gzipSync(script).length).toBeLessThan(20 * 1_024)
    expect(script).not.toContain('findLeaders')
  })

  test('the fuzzy matcher is in its own subpath', async () => {
    expect(await bundled('fuzzy', '@keepfirst/engine/fuzzy')).toContain('findLeaders')
  })

  test('the client includes neither the engine nor the API description', async () => {
    const script = await bundled('client', '@keepfirst/client')
    expect(script).not.toMatch(/WebAssembly|openapi/)
    expect(gzipSync(script).length).toBeLessThan(5 * 1_024)
  })
})
