import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** HTML is not among them: the server fills pages in and compresses them itself. */
const COMPRESSIBLE = /\.(?:css|js|svg|wasm)$/
const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/**
 * After the build, writes a `.br` and a `.gz` next to every compressible file, so that the server does not compress
 * them for each request, and copies the whole folder to `target`, from where the service package ships it.
 */
export function ship(target: string): Plugin {
  let outDir = ''
  return {
    name: 'keepfirst:ship',
    apply: 'build',
    configResolved(config) {
      outDir = join(config.root, config.build.outDir)
    },
    async closeBundle() {
      for (const file of await filesIn(outDir)) if (COMPRESSIBLE.test(file)) await compress(file)
      await rm(target, { recursive: true, force: true })
      await cp(outDir, target, { recursive: true })
    },
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true })
  const paths = entries.map((entry) => join(folder, entry))
  const stats = await Promise.all(paths.map((path) => stat(path)))
  return paths.filter((_, i) => stats[i]?.isFile())
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file)
  await writeFile(`${file}.br`, await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
  await writeFile(`${file}.gz`, await gzipped(bytes, { level: 9 }))
}
