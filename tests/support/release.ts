import type { Packed } from './packages.ts'

/** The packages that are published together, each after those that it depends on. */
export const PUBLISHED = ['engine', 'protocol', 'client', 'cli', 'service'] as const

/** The part of a package's `package.json` that a release reads. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly repository?: { readonly url?: string; readonly directory?: string }
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean }
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Everything that is needed to check a release. */
export interface Release {
  readonly manifests: readonly Manifest[]
  readonly changelog: string
  /** What would be published, in the order of the manifests. */
  readonly packed: readonly Pick<Packed, 'name' | 'version' | 'paths'>[]
  /** For a dry run, settings that only the publisher can know may be missing. */
  readonly isDryRun: boolean
}

/** Everything that prevents the release, one sentence each. */
export function releaseProblems(release: Release): readonly string[] {
  const { manifests, changelog, packed, isDryRun } = release
  const [version = ''] = manifests.map((manifest) => manifest.version)
  return [
    ...manifests.flatMap((manifest) => versionProblems(manifest, version, manifests)),
    ...manifests.flatMap((manifest) => settingProblems(manifest, isDryRun)),
    ...changelogProblems(changelog, version, isDryRun),
    ...packed.flatMap(contentProblems),
  ]
}

function versionProblems(
  { name, version: own, dependencies = {} }: Manifest,
  version: string,
  manifests: readonly Manifest[],
): readonly string[] {
  const siblings = Object.entries(dependencies).filter(([sibling]) => manifests.some((other) => other.name === sibling))
  return [
    ...(own === version ? [] : [`${name} is ${own}, but others are ${version}`]),
    ...siblings
      .filter(([, wanted]) => wanted !== version)
      .map(([sibling, wanted]) => `${name} depends on ${sibling} ${wanted}, not ${version}`),
  ]
}

function settingProblems({ name, license, publishConfig, repository }: Manifest, isDryRun: boolean): readonly string[] {
  return [
    ...(license === 'MIT' ? [] : [`${name} does not name its licence`]),
    ...(publishConfig?.access === 'public' ? [] : [`${name} is not set up to be published publicly`]),
    ...(publishConfig?.provenance === true ? [] : [`${name} is not set up to be published with provenance`]),
    ...(isDryRun || repository?.url ? [] : [`${name} does not name its repository, which provenance requires`]),
  ]
}

function changelogProblems(changelog: string, version: string, isDryRun: boolean): readonly string[] {
  const section = changelog.split(/^## /m).find((part) => part.startsWith(`${version} (`))
  if (section === undefined) return [`CHANGELOG.md has no section for ${version}`]
  const [title = '', ...rest] = section.split('\n')
  const isDated = /\(\d{4}-\d{2}-\d{2}\)$/.test(title)
  return [
    ...(isDated || isDryRun ? [] : [`CHANGELOG.md has no date for ${version}`]),
    ...(rest.some((line) => line.startsWith('- ')) ? [] : [`CHANGELOG.md says nothing about ${version}`]),
  ]
}

function contentProblems({ name, paths }: Pick<Packed, 'name' | 'paths'>): readonly string[] {
  return [
    ...DOCUMENTS.filter((path) => !paths.includes(path)).map((path) => `${name} lacks ${path}`),
    ...unwantedFiles(paths).map((path) => `${name} contains ${path}`),
  ]
}

const DOCUMENTS = ['LICENSE', 'README.md', 'package.json']

/** Files used to build a package, which its users do not need. */
export function unwantedFiles(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => /(^|\/)(test|assembly|build|node_modules)\/|\.tsbuildinfo$|tsconfig/.test(path))
}
