import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { refuse } from '@keepfirst/protocol'
import { describe, expect, test } from 'vitest'
import { REPOSITORY } from './support/server.ts'

/*
 * Enforces rules of the repository: allowed imports, purity, and what may be in one place only.
 */

const FILES = execFileSync('git', ['ls-files'], { cwd: REPOSITORY, encoding: 'utf8' }).trim().split('\n')
const CODE = FILES.filter((file) => /\.(tsx?|mjs)$/.test(file))
const SOURCES = CODE.filter((file) => /^packages\/[^/]+\/src\//.test(file))
const read = (file: string) => readFileSync(join(REPOSITORY, file), 'utf8')

/** The packages that each package may import. */
const PACKAGES: Record<string, readonly string[]> = {
  engine: [],
  protocol: [],
  client: ['protocol'],
  web: ['engine', 'protocol'],
  cli: ['engine', 'protocol'],
  service: ['engine', 'protocol', 'cli', 'sqlite'],
}

/** The folders that each folder of a package's sources may import. */
const FOLDERS: Record<string, Record<string, readonly string[]>> = {
  'engine/assembly': { core: [], fuzzy: [] },
  'engine/src': {
    api: ['request', 'stream', 'modes', 'core', 'fuzzy'],
    page: ['stream', 'modes', 'core', 'fuzzy'],
    request: ['modes', 'core', 'fuzzy'],
    stream: ['modes', 'core'],
    modes: ['core', 'fuzzy'],
    core: [],
    fuzzy: [],
  },
  'protocol/src': { openapi: [] },
  'service/src': {
    http: ['requests', 'observe'],
    operator: ['accounts', 'store'],
    dashboard: ['http', 'accounts', 'store', 'observe', 'limits'],
    requests: ['accounts', 'store', 'compute', 'email-validation', 'observe'],
    accounts: ['store'],
    compute: ['email-validation', 'observe', 'limits'],
    observe: ['store'],
    store: ['limits'],
    'email-validation': [],
    limits: [],
  },
  'web/src': {
    site: ['home', 'keys', 'reference', 'shell', 'design'],
    home: ['try', 'shell', 'design'],
    reference: ['examples', 'shell', 'design'],
    keys: ['shell', 'design'],
    try: ['examples', 'shell', 'design'],
    shell: ['design'],
    examples: [],
    design: [],
  },
}
/**
 * Files outside the folders that every folder of the package may import: types, errors, types of WebAssembly modules.
 */
const COMMON: Record<string, readonly string[]> = {
  'engine/src': ['has-exports', 'verdicts', 'wasm'],
  'protocol/src': ['modes', 'options', 'plans', 'refusals', 'unreachable', 'wire'],
  'service/src': ['client-connection', 'config', 'package-files'],
}

/** What code outside the packages' sources may import; `$1` is the package that it belongs to. */
const OUTSIDE: readonly { readonly what: string; readonly from: RegExp; readonly to: RegExp }[] = [
  {
    what: 'build scripts import only their package and the build scripts of the command line',
    from: /^packages\/([^/]+)\/(build|bin|vite)/,
    to: /^packages\/($1|cli\/build)\b/,
  },
  {
    what: 'unit tests import only packages, shared test support, and documents',
    from: /^packages\/([^/]+)\/test\//,
    to: /^(packages|docs|tests\/support|tests\/spec\/cases)\//,
  },
  {
    what: 'shared test support imports only built packages',
    from: /^tests\/support\//,
    to: /^(tests\/support|packages\/[^/]+\/dist)\//,
  },
  {
    what: 'the simulation imports only what it simulates, and test support',
    from: /^tests\/simulation\//,
    to: /^(tests\/(support|simulation)|packages\/service\/(src\/(store|requests|client-connection)|test\/support))/,
  },
  {
    what: 'tests do not import other tests',
    from: /^tests\/(?!support|simulation)/,
    to: /^(?!tests\/.*\.test\.)(tests|packages\/[^/]+\/(dist|test|src))\//,
  },
  { what: 'tools import only tools', from: /^tools\//, to: /^tools\// },
  {
    what: 'benchmarks import only built packages and test support',
    from: /^bench\//,
    to: /^(bench\/support|tests\/support|packages\/[^/]+\/dist)\//,
  },
]

interface Import {
  readonly file: string
  /** A package's name, or a path in the repository. */
  readonly target: string
}

const IMPORT = /^(?:import|export|\}).*? from '([^']+)'$|^import '([^']+)'|\bimport\('([^']+)'\)/gm

const IMPORTS: readonly Import[] = CODE.flatMap((file) =>
  [...read(file).matchAll(IMPORT)].map(([, from, bare, lazy]) => {
    const name = from ?? bare ?? lazy ?? ''
    return { file, target: name.startsWith('.') ? normalize(join(dirname(file), name)) : name }
  }),
)

const isPath = ({ target }: Import) => FOLDERS_OF_CODE.test(target)
const FOLDERS_OF_CODE = /^(packages|tests|bench|tools|docs)\//

function packageOf(file: string): string {
  return file.split('/')[1] ?? ''
}

describe('imports point downward', () => {
  test.each(Object.entries(PACKAGES))('of our packages, %s imports only %j', (name, allowed) => {
    const own = `packages/${name}/`
    const wrong = IMPORTS.filter(({ file }) => SOURCES.includes(file) && file.startsWith(own)).filter((one) => {
      if (isPath(one)) return !one.target.startsWith(own) && !one.target.includes('?raw')
      const [, sibling] = /^@keepfirst\/([^/]+)/.exec(one.target) ?? []
      return sibling !== undefined && !allowed.includes(sibling)
    })
    expect(wrong).toEqual([])
  })

  const folders = Object.entries(FOLDERS).flatMap(([root, table]) =>
    Object.entries(table).map(([folder, allowed]) => ({ root, folder, allowed })),
  )

  test.each(folders)('$root/$folder imports only $allowed', ({ root, folder, allowed }) => {
    const own = `packages/${root}/${folder}/`
    const wrong = IMPORTS.filter((one) => one.file.startsWith(own) && isPath(one)).filter(({ target }) => {
      const [first = ''] = target.replace(`packages/${root}/`, '').split('/')
      const isCommon = COMMON[root]?.includes(first.replace(/\.ts$/, ''))
      return !isCommon && ![folder, ...allowed].includes(first) && !/\?raw$|package\.json$/.test(target)
    })
    expect(wrong).toEqual([])
  })

  test('every folder of sources is in the table', () => {
    const roots = Object.keys(FOLDERS)
    const found = CODE.flatMap((file) => /^packages\/([^/]+\/(?:src|assembly))\/([^/]+)\//.exec(file)?.slice(1) ?? [])
    const drawn = (root = '', folder = '') => roots.includes(root) && folder in (FOLDERS[root] ?? {})
    expect(found.filter((_, i) => i % 2 === 0 && !drawn(found[i], found[i + 1]))).toEqual([])
  })

  test.each(OUTSIDE)('$what', ({ from, to }) => {
    const wrong = IMPORTS.filter((one) => from.test(one.file) && isPath(one)).filter(({ file, target }) => {
      const own = from.exec(file)?.[1] ?? ''
      return !new RegExp(to.source.replace('$1', own)).test(target)
    })
    expect(wrong).toEqual([])
  })

  test('request pipelines do not import any framework', () => {
    const frameworks = /^(fastify|node:http|node:net|better-auth|kysely|pg|node:sqlite|piscina)/
    expect(IMPORTS.filter(({ file, target }) => /\/src\/requests\//.test(file) && frameworks.test(target))).toEqual([])
  })

  test('the levels in CONTRIBUTING.md match the table', () => {
    const [, drawing = ''] = /Imports point downward: `([^`]*)`/.exec(read('CONTRIBUTING.md')) ?? []
    const levels = drawing.split('→').map((level) => level.trim().split(/[,\s]+/))
    const above = (folder: string) => levels.findIndex((level) => level.includes(folder))
    const drawn = Object.entries(FOLDERS['service/src'] ?? {})
    expect(drawn.map(([folder]) => folder).filter((folder) => above(folder) === -1)).toEqual([])
    const upward = drawn.flatMap(([folder, allowed]) =>
      allowed.filter((other) => above(other) < above(folder)).map((other) => `${folder} → ${other}`),
    )
    expect(upward).toEqual([])
  })
})

test('every path in CONTRIBUTING.md exists', () => {
  const named = [...read('CONTRIBUTING.md').matchAll(/`((?:packages|tests|docs|bench|deploy|tools)\/[\w./-]+)`/g)]
  const missing = named.map(([, path = '']) => path).filter((path) => !FILES.some((file) => file.startsWith(path)))
  expect(named.length).toBeGreaterThan(10)
  expect(missing).toEqual([])
})

test('the diagram of a request has exactly one step for every file of steps', () => {
  const drawn = [...read('docs/request-lifecycle.md').matchAll(/[┼├] ([a-z-]+) /g)].map(([, step]) => step)
  const files = FILES.flatMap((file) => /\/src\/requests\/steps\/([a-z-]+)\.ts$/.exec(file)?.[1] ?? [])
  expect(drawn.sort()).toEqual(files.sort())
})

test('the diagram of a request and the pipeline have the same steps, with the same statuses, in the same order', () => {
  const rows = [...read('docs/request-lifecycle.md').matchAll(/^ *(\d[\d ]*) ◀─┼ ([\w-]+)/gm)]
  const drawn = rows.map(([, statuses, step = '']) => [
    step.replace(/-./, (dash) => dash.charAt(1).toUpperCase()),
    statuses,
  ])
  const calls = [...read('packages/service/src/requests/pipeline.ts').matchAll(/(\w+)\(.*\) \/\/ (\d[\d ]*)$/gm)]
  expect(drawn.length).toBeGreaterThan(5)
  expect(drawn).toEqual(calls.map(([, step, statuses]) => [step, statuses]))
})

describe('pure packages', () => {
  test.each(['engine', 'protocol'])('%s uses no clock, randomness or host APIs', (name) => {
    const impure =
      /\bDate\.now\b|\bnew Date\(\)|\bperformance\b|\bMath\.random\b|\bcrypto\b|\bprocess\b|\bfetch\(|\bsetTimeout\b/
    // A caller of the engine without a seed gets a random one for the process.
    const seed = 'packages/engine/src/api/seed.ts'
    const code = SOURCES.filter((file) => packageOf(file) === name && file !== seed).filter((file) =>
      impure.test(uncommented(read(file))),
    )
    expect(code).toEqual([])
    expect(IMPORTS.filter((one) => SOURCES.includes(one.file) && packageOf(one.file) === name && !isPath(one))).toEqual(
      [],
    )
  })
})

describe('error messages', () => {
  const messages = [
    refuse.unparseableBody(),
    refuse.fuzzyOutsideRows(),
    refuse.invalidKey(),
    refuse.badEmails(),
    refuse.busy(),
  ]

  test.each(messages.map(({ body }) => body.error))('the message "%s" is only in refusals.ts', (message) => {
    expect(SOURCES.filter((file) => read(file).includes(`'${message}'`))).toEqual(['packages/protocol/src/refusals.ts'])
  })
})

describe('code quality', () => {
  test('no source file has more than 400 lines', () => {
    const long = CODE.filter((file) => read(file).split('\n').length > 400)
    expect(long.filter((file) => !/\/assembly\/|\/test\/|\.test\.ts$/.test(file))).toEqual([])
  })

  test('no code silences the TypeScript compiler; only tests may expect errors', () => {
    const silenced = /@ts-(ignore|nocheck)|\bas any\b|: any(?= *[,;)=\n])|\bas unknown as\b/
    const found = CODE.filter((file) => !file.endsWith('tidy.test.ts') && silenced.test(uncommented(read(file))))
    expect(found).toEqual([])
    expect(SOURCES.filter((file) => read(file).includes('@ts-expect-error'))).toEqual([])
  })
})

function uncommented(source: string): string {
  return source.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/.*$/gm, '')
}
