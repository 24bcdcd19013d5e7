import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { refuse } from '@keepfirst/protocol'
import { describe, expect, test } from 'vitest'
import { REPOSITORY } from './support/server.ts'

/*
 * The order of the house, held by a test: who may import whom, what stays pure, what stands in one place.
 */

const FILES = execFileSync('git', ['ls-files'], { cwd: REPOSITORY, encoding: 'utf8' }).trim().split('\n')
const SOURCES = FILES.filter((file) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file))
const read = (file: string) => readFileSync(join(REPOSITORY, file), 'utf8')

/** Packages may import what stands beside them. */
const PACKAGES: Record<string, readonly string[]> = {
  engine: [],
  protocol: [],
  client: ['@keepfirst/protocol'],
  web: ['@keepfirst/engine', '@keepfirst/protocol', '@keepfirst/client'],
  cli: ['@keepfirst/engine', '@keepfirst/protocol'],
  service: ['@keepfirst/engine', '@keepfirst/protocol', '@keepfirst/cli'],
}

/** Folders of the service may import what stands beside them; arrows only downward. */
const FOLDERS: Record<string, readonly string[]> = {
  http: ['requests', 'observe'],
  operator: ['accounts', 'store', 'dashboard', 'email-validation'],
  dashboard: ['accounts', 'store', 'http', 'observe', 'limits'],
  requests: ['accounts', 'store', 'compute', 'email-validation', 'observe'],
  compute: ['email-validation', 'observe', 'limits'],
  accounts: ['store'],
  observe: ['store'],
  'email-validation': [],
  store: ['limits'],
  limits: [],
}
/** Files at the top that everybody may name: a type, a fault. */
const COMMON = ['client-connection.ts', 'config.ts']

interface Import {
  readonly file: string
  readonly from: string
}

const IMPORT = /^(?:import|export|\}).*? from '([^']+)'$|^import '([^']+)'|\bimport\('([^']+)'\)/gm

const IMPORTS: readonly Import[] = SOURCES.flatMap((file) =>
  [...read(file).matchAll(IMPORT)].map(([, from, bare, lazy]) => ({ file, from: from ?? bare ?? lazy ?? '' })),
)

function packageOf(file: string): string {
  return file.split('/')[1] ?? ''
}

describe('imports point downward', () => {
  test.each(Object.entries(PACKAGES))('package %s imports nothing but %j of ours', (name, allowed) => {
    const ours = IMPORTS.filter(({ file, from }) => packageOf(file) === name && from.startsWith('@keepfirst/'))
    const wrong = ours.filter(({ from }) => !allowed.some((other) => from === other || from.startsWith(`${other}/`)))
    expect(wrong).toEqual([])
  })

  test.each(Object.entries(FOLDERS))('service/src/%s imports nothing but %j', (folder, allowed) => {
    const own = `packages/service/src/${folder}/`
    const wrong = IMPORTS.filter(({ file, from }) => file.startsWith(own) && from.startsWith('.')).filter(
      ({ file, from }) => {
        const target = normalize(join(dirname(file), from)).replace('packages/service/src/', '')
        return !COMMON.includes(target) && ![folder, ...allowed].includes(target.split('/')[0] ?? '')
      },
    )
    expect(wrong).toEqual([])
  })

  test('pipelines of requests name no framework', () => {
    const frameworks = /^(fastify|node:http|node:net|better-auth|kysely|pg|better-sqlite3|piscina)/
    expect(IMPORTS.filter(({ file, from }) => /\/requests\//.test(file) && frameworks.test(from))).toEqual([])
  })
})

describe('what is pure stays pure', () => {
  test.each(['engine', 'protocol'])('%s has no clock, no randomness, no host', (name) => {
    const impure =
      /\bDate\.now\b|\bnew Date\(\)|\bperformance\b|\bMath\.random\b|\bcrypto\b|\bprocess\b|\bfetch\(|\bsetTimeout\b/
    // Whoever calls the engine without a seed gets one of the process's own.
    const seed = 'packages/engine/src/face/seed.ts'
    const code = SOURCES.filter((file) => packageOf(file) === name && file !== seed).filter((file) =>
      impure.test(uncommented(read(file))),
    )
    expect(code).toEqual([])
    expect(IMPORTS.filter(({ file, from }) => packageOf(file) === name && !from.startsWith('.'))).toEqual([])
  })
})

describe('one fact, one place', () => {
  const messages = [
    refuse.unparseableBody(),
    refuse.fuzzyOutsideRows(),
    refuse.invalidKey(),
    refuse.badEmails(),
    refuse.busy(),
  ]

  test.each(messages.map(({ body }) => body.error))('the message "%s" stands in refusals.ts alone', (message) => {
    expect(SOURCES.filter((file) => read(file).includes(`'${message}'`))).toEqual(['packages/protocol/src/refusals.ts'])
  })
})

describe('files stay readable', () => {
  test('no source file has more than 400 lines', () => {
    expect(SOURCES.filter((file) => read(file).split('\n').length > 400)).toEqual([])
  })

  test('no TypeScript quiets its compiler', () => {
    const quieted = /@ts-(ignore|expect-error|nocheck)|\bas any\b|: any\b|\bas unknown as\b/
    expect(SOURCES.filter((file) => quieted.test(uncommented(read(file))))).toEqual([])
  })
})

function uncommented(source: string): string {
  return source.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/.*$/gm, '')
}
