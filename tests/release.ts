/*
 * Checks a release and publishes its packages: `npm run release`; with `-- --dry-run` it only checks. It publishes
 * exactly the packed files that it has checked.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pack, packSqlite, run } from './support/packages.ts'
import { type Manifest, PUBLISHED, releaseProblems } from './support/release.ts'
import { REPOSITORY } from './support/server.ts'

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
const isDryRun = values['dry-run']
const folder = await mkdtemp(join(tmpdir(), 'keepfirst-release-'))
try {
  const packed = await pack(PUBLISHED, folder)
  const sqlite = await packSqlite(folder)
  const manifests = await Promise.all([...PUBLISHED, 'sqlite'].map(readManifest))
  const changelog = await readFile(join(REPOSITORY, 'CHANGELOG.md'), 'utf8')
  const changed = await run(REPOSITORY, 'git', ['status', '--porcelain'])
  const problems = [
    ...releaseProblems({ manifests, changelog, packed, isDryRun }),
    ...(isDryRun || changed === '' ? [] : ['there are uncommitted changes']),
  ]
  for (const { name, version, paths } of packed) console.log(`${name} ${version}: ${paths.length} files`)
  for (const problem of problems) console.error(`- ${problem}`)
  if (problems.length > 0) process.exitCode = 1
  else if (isDryRun) console.log('Nothing prevents a release. Nothing was published.')
  else
    for (const tarball of [sqlite, ...packed.map((each) => each.tarball)])
      console.log(await run(REPOSITORY, 'npm', ['publish', tarball]))
} finally {
  await rm(folder, { recursive: true })
}

async function readManifest(name: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(REPOSITORY, 'packages', name, 'package.json'), 'utf8'))
}
