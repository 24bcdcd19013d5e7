import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OutputChunk, rolldown } from 'rolldown'

/*
 * Bundles the program with its libraries of many modules. Node needs about a millisecond per module, so a few large
 * files start in half the time of hundreds of small ones; so do the first page and the first sign-in.
 */

const PACKAGE = fileURLToPath(new URL('../', import.meta.url))
const FOLDER = join(PACKAGE, 'bundle')

/** Not bundled: libraries that start threads or find files by their own location, native code, and those for pages. */
const EXTERNAL = /^(?:@fastify\/|@keepfirst\/sqlite|@zxcvbn-ts\/|fastify|light-my-request|pg$|pino|piscina|prom-client)/

const build = await rolldown({
  input: {
    main: join(PACKAGE, 'src/main.ts'),
    worker: join(PACKAGE, 'src/compute/worker.ts'),
    'sqlite-thread': join(PACKAGE, 'src/store/sqlite-thread.ts'),
  },
  platform: 'node',
  external: EXTERNAL,
})
const { output } = await build.write({ dir: FOLDER, format: 'esm', cleanDir: true, chunkFileNames: '[name]-[hash].js' })
await build.close()
writeFileSync(join(FOLDER, 'LICENSES.txt'), licencesOf(output.filter((file) => file.type === 'chunk')))

/** The licences of all bundled libraries, which require that their texts accompany copies. */
function licencesOf(chunks: readonly OutputChunk[]): string {
  const folders = chunks.flatMap(({ moduleIds }) => moduleIds).flatMap((id) => libraryFolder(id) ?? [])
  return [...new Set(folders.map(licenceIn))].sort().join('\n\n')
}

/** The folder of the library that a module belongs to; undefined if it is ours. */
function libraryFolder(module: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module)?.[0]
}

function licenceIn(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined) throw new Error(`${folder} has no licence file`)
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}
