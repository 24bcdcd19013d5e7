import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { licencesOf, lockOf, PERMITTED } from './support/licences.ts'
import { type Manifest, PUBLISHED, type Release, releaseProblems } from './support/release.ts'
import { REPOSITORY } from './support/server.ts'

const read = (path: string) => readFile(join(REPOSITORY, path), 'utf8')

const ENGINE: Manifest = {
  name: '@keepfirst/engine',
  version: '2.0.0',
  license: 'MIT',
  repository: { url: 'git+https://example.com/keepfirst.git' },
  publishConfig: { access: 'public', provenance: true },
}
const CLI: Manifest = {
  ...ENGINE,
  name: '@keepfirst/cli',
  dependencies: { '@keepfirst/engine': '2.0.0', other: '1.0.0' },
}
const PATHS = ['LICENSE', 'README.md', 'package.json', 'dist/index.js']
const GOOD: Release = {
  manifests: [ENGINE, CLI],
  changelog: '# Changelog\n\n## 2.0.0 (2026-12-01)\n\n- It is better.\n\n## 1.0.0 (2026-11-01)\n\n- It is there.\n',
  packed: [{ name: ENGINE.name, version: '2.0.0', paths: PATHS }],
  isDryRun: false,
}

describe('a release is prevented by', () => {
  const [first] = GOOD.packed
  test.each<{ name: string; change: Partial<Release>; problems: readonly string[] }>([
    { name: 'nothing, if everything is in order', change: {}, problems: [] },
    {
      name: 'a package with another version',
      change: { manifests: [ENGINE, { ...CLI, version: '1.9.0' }] },
      problems: ['@keepfirst/cli is 1.9.0, but others are 2.0.0'],
    },
    {
      name: 'a package that depends on an older version of another one',
      change: { manifests: [ENGINE, { ...CLI, dependencies: { '@keepfirst/engine': '1.0.0' } }] },
      problems: ['@keepfirst/cli depends on @keepfirst/engine 1.0.0, not 2.0.0'],
    },
    {
      name: 'no provenance',
      change: { manifests: [{ ...ENGINE, publishConfig: { access: 'public' } }] },
      problems: ['@keepfirst/engine is not set up to be published with provenance'],
    },
    {
      name: 'no repository',
      change: { manifests: [{ ...ENGINE, repository: {} }] },
      problems: ['@keepfirst/engine does not name its repository, which provenance requires'],
    },
    {
      name: 'a version without a section in the changelog',
      change: { changelog: '' },
      problems: ['CHANGELOG.md has no section for 2.0.0'],
    },
    {
      name: 'a version without a date',
      change: { changelog: '## 2.0.0 (unreleased)\n\n- It is better.\n' },
      problems: ['CHANGELOG.md has no date for 2.0.0'],
    },
    {
      name: 'a package without its licence, or with its tests',
      change: { packed: [{ name: 'a', version: '2.0.0', paths: ['README.md', 'package.json', 'test/a.test.js'] }] },
      problems: ['a lacks LICENSE', 'a contains test/a.test.js'],
    },
    {
      name: 'nothing in a dry run that is only known on the day of the release',
      change: {
        isDryRun: true,
        manifests: [{ ...ENGINE, repository: {} }],
        changelog: '## 2.0.0 (unreleased)\n\n- It is better.\n',
        packed: first === undefined ? [] : [first],
      },
      problems: [],
    },
  ])('$name', ({ change, problems }) => expect(releaseProblems({ ...GOOD, ...change })).toEqual(problems))

  test('nothing in our packages, in a dry run', async () => {
    const manifests = PUBLISHED.map(async (name) => JSON.parse(await read(`packages/${name}/package.json`)))
    const changelog = await read('CHANGELOG.md')
    expect(releaseProblems({ manifests: await Promise.all(manifests), changelog, packed: [], isDryRun: true })).toEqual(
      [],
    )
  })
})

test('all third-party packages have a permitted licence', async () => {
  const licences = licencesOf(await lockOf(REPOSITORY))
  expect(licences.length).toBeGreaterThan(20)
  expect(licences.filter(({ licence }) => !PERMITTED.includes(licence))).toEqual([])
})
