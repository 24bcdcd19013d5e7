import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The part of `package-lock.json` that is read here: packages by folder. */
interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

interface LockedPackage {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

export interface Licence {
  readonly name: string
  readonly version: string
  readonly licence: string
}

/** Licences that require only their text and attribution (SPDX). */
export const PERMITTED: readonly string[] = [
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  '(MIT OR WTFPL)',
  '(MIT OR CC0-1.0)',
  '(BSD-2-Clause OR MIT OR Apache-2.0)',
  'MIT OR Apache-2.0',
]

/** The lock file of a repository. */
export async function lockOf(repository: string): Promise<Lock> {
  return JSON.parse(await readFile(join(repository, 'package-lock.json'), 'utf8'))
}

/** Development dependencies of which nothing is shipped. */
const BUILD_TOOLS = /^(?:@types\/|rolldown$|vite$)/

/** Third-party packages that are installed with ours or bundled into our programs and pages, by name. */
export function licencesOf({ packages }: Lock): readonly Licence[] {
  const found = new Set<string>()
  const follow = (folder: string, names: readonly string[]): void => {
    for (const name of names) {
      const at = installedAt(folder, name)
      if (at === undefined || found.has(at)) continue
      found.add(at)
      follow(at, neededBy(packages[at]))
    }
  }
  const installedAt = (folder: string, name: string): string | undefined => {
    for (let from = folder; ; from = from.slice(0, Math.max(0, from.lastIndexOf('/')))) {
      const at = `${from === '' ? '' : `${from}/`}node_modules/${name}`
      if (at in packages) return at
      if (from === '') return undefined
    }
  }
  const ours = Object.keys(packages).filter((folder) => /^packages\/[^/]+$/.test(folder))
  for (const folder of ours) follow(folder, neededBy(packages[folder]))
  for (const folder of ['packages/service', 'packages/web']) {
    const bundled = Object.keys(packages[folder]?.devDependencies ?? {}).filter((name) => !BUILD_TOOLS.test(name))
    follow(folder, bundled)
  }
  return [...found]
    .map((folder) => ({ name: nameOf(folder), ...packages[folder] }))
    .filter(({ name }) => !ours.some((folder) => packages[folder]?.name === name))
    .map(({ name, version = '', license = 'none named' }) => ({ name, version, licence: license }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function neededBy({ dependencies = {}, optionalDependencies = {} }: LockedPackage = {}): readonly string[] {
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies)]
}

function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
