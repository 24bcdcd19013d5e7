import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
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
  // For what it does not do itself, the command looks for the whole product.
  cli: ['engine', 'protocol', 'keepfirst'],
  service: ['engine', 'protocol', 'cli', 'sqlite'],
}

/**
 * The levels of each folder of sources, as CONTRIBUTING.md draws them: folders, and files that are in none. Those of a
 * level import only what is further to the right.
 */
const LEVELS = new Map(
  [...read('CONTRIBUTING.md').matchAll(/`(packages\/\S+)`: `([^`]*)`/g)].map(([, root = '', drawing = '']) => [
    `${root}/`,
    drawing.split('→').map((level) => level.trim().split(/[,\s]+/)),
  ]),
)

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
  { what: 'tools import only tools and test support', from: /^tools\//, to: /^(tools|tests\/support)\// },
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

const IMPORT =
  /^(?:import|export|\}).*? from '([^']+)'$|^import '([^']+)'|\bimport\('([^']+)'\)|\bimport\.meta\.resolve\('([^']+)'\)/gm
/** Workers and other files, named by where they are. */
const LOCATION = /\bnew URL\('([^':]+)', import\.meta\.url\)/g

const IMPORTS: readonly Import[] = CODE.flatMap((file) => {
  const here = (path: string) => normalize(join(dirname(file), path))
  const imported = [...read(file).matchAll(IMPORT)].map((found) => found.slice(1).find((name) => name) ?? '')
  return [
    ...imported.map((name) => ({ file, target: name.startsWith('.') ? here(name) : name })),
    ...[...read(file).matchAll(LOCATION)].map(([, path = '']) => ({ file, target: here(path) })),
  ]
}).filter(({ target }) => !/\?raw$|\/package\.json$/.test(target))

const isPath = ({ target }: Import) => FOLDERS_OF_CODE.test(target)
const FOLDERS_OF_CODE = /^(packages|tests|bench|tools|docs)\//

function packageOf(file: string): string {
  return file.split('/')[1] ?? ''
}

describe('imports point downward', () => {
  test.each(Object.entries(PACKAGES))('of our packages, %s imports only %j', (name, allowed) => {
    const own = `packages/${name}/`
    const wrong = IMPORTS.filter(({ file }) => SOURCES.includes(file) && file.startsWith(own)).filter((one) => {
      if (isPath(one)) return !one.target.startsWith(own)
      const [, sibling = ''] = /^(?:@keepfirst\/)?([^/]+)/.exec(one.target) ?? []
      return (sibling in PACKAGES || sibling === 'keepfirst') && !allowed.includes(sibling)
    })
    expect(wrong).toEqual([])
  })

  test.each([...LEVELS])('within %s', (root, levels) => {
    const nameOf = (path: string) => path.slice(root.length).split(/[/.]/, 1)[0] ?? ''
    const levelOf = (path: string) => levels.findIndex((level) => level.includes(nameOf(path)))
    const isRight = ({ file, target }: Import) =>
      target.startsWith(root)
        ? nameOf(target) === nameOf(file) || levelOf(target) > levelOf(file)
        : target === `${dirname(root)}/` // where a package finds its files
    const own = IMPORTS.filter((one) => one.file.startsWith(root) && isPath(one))
    expect(own.filter((one) => !isRight(one))).toEqual([])
    const found = CODE.filter((file) => file.startsWith(root) && !file.endsWith('.d.ts')).map(nameOf)
    expect([...new Set(found)].sort()).toEqual(levels.flat().sort())
  })

  test('every folder of sources has levels', () => {
    const roots = CODE.flatMap((file) => /^packages\/[^/]+\/(?:src|assembly)\//.exec(file) ?? [])
    expect([...LEVELS.keys()].sort()).toEqual([...new Set(roots)].sort())
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
  const own = 'packages/protocol/src/refusals.ts'
  const [, refusals = ''] = read(own).split('export const refuse')
  const messages = [...refusals.matchAll(/'([^'\n]* [^'\n]*)'|`([^`\n]* [^`\n]*)`/g)]
    .map(([, plain, template = '']) => plain ?? template.split(/\$\{[^}]*\}/).reduce(longer))
    // That of an option is a sentence only with what the table of options says.
    .filter((words) => words !== ' must be ')
  // The dashboard, the client and the engine have errors of their own, some with the same words.
  const others = SOURCES.filter(
    (file) => file !== own && !/^packages\/(?:client|engine)\/|\/dashboard[/.]|\/keys\//.test(file),
  )

  test.each(messages)('"%s" is only in refusals.ts', (message) => {
    expect(others.filter((file) => uncommented(read(file)).includes(message))).toEqual([])
  })

  test('all are found', () => {
    expect(messages.length).toBeGreaterThan(25)
  })
})

function longer(a: string, b: string): string {
  return a.length >= b.length ? a : b
}

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
