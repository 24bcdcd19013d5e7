import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY } from './server.ts'

/** A package created by `npm pack`. */
export interface Packed {
  readonly name: string
  readonly version: string
  readonly tarball: string
  readonly paths: readonly string[]
}

interface PackReport {
  readonly name: string
  readonly version: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

/** Packs the packages in these folders of `packages/`, in order, into `folder`. */
export async function pack(packages: readonly string[], folder: string): Promise<Packed[]> {
  const workspaces = packages.flatMap((name) => ['--workspace', `packages/${name}`])
  const printed = await run(REPOSITORY, 'npm', ['pack', '--json', '--pack-destination', folder, ...workspaces])
  const reports: PackReport[] = JSON.parse(printed)
  return reports.map(({ name, version, filename, files }) => {
    return { name, version, tarball: join(folder, filename), paths: files.map(({ path }) => path) }
  })
}

/** Packs `@keepfirst/sqlite`, including its bundled dependency, into `folder`; returns its path. */
export async function packSqlite(folder: string): Promise<string> {
  const program = join(REPOSITORY, 'packages/sqlite/pack.mjs')
  return join(folder, (await run(REPOSITORY, process.execPath, [program, folder])).trim())
}

/**
 * Creates a project in `folder` with these packages installed, as their users would install them.
 * @param network whether third-party packages may be downloaded, for packages that need some
 */
export async function installInto(folder: string, packed: readonly Packed[], network = false): Promise<void> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  const tarballs = packed.map(({ tarball }) => tarball)
  const cache = network ? '--prefer-offline' : '--offline'
  await run(folder, 'npm', ['install', cache, '--no-audit', '--no-fund', ...tarballs])
}

/** Bundles and minifies a module of the project in `folder`, with everything it imports, for a page. */
export async function bundle(folder: string, name: string, source: string): Promise<string> {
  await mkdir(join(folder, name))
  await writeFile(join(folder, name, 'index.html'), '<script type="module" src="./page.js"></script>')
  await writeFile(join(folder, name, 'page.js'), source)
  await run(folder, tool('vite'), ['build', name, '--logLevel', 'error', '--target', 'es2022'])
  const assets = join(folder, name, 'dist/assets')
  const [file = ''] = await readdir(assets)
  return readFile(join(assets, file), 'utf8')
}

/** Path of a program that the repository's dependencies provide. */
export function tool(name: string): string {
  return join(REPOSITORY, 'node_modules/.bin', name)
}

/**
 * Runs a program; resolves to its standard output.
 * @param env variables in addition to those of this process
 * @throws Error with all its output when it fails
 */
export function run(
  folder: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return new Promise((done, failed) => {
    const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1 << 26 }
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error) failed(new Error(`${program} ${args.join(' ')}\n${stdout}\n${stderr}`))
      else done(stdout)
    })
  })
}
