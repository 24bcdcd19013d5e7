// `node when-changed.mjs OUTPUT SOURCE… -- COMMAND` runs a shell command unless OUTPUT, the last file that it writes,
// is newer than this script and everything in the SOURCEs.
import { execSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const [output, ...rest] = process.argv.slice(2)
const end = rest.indexOf('--')
const sources = [import.meta.filename, ...rest.slice(0, end)]

/** Counts folders too, which change when files are removed. The compiler's build information is not a source. */
function newestMs(path) {
  const stats = statSync(path)
  const names = stats.isDirectory() ? readdirSync(path).filter((name) => name !== '.tsbuildinfo') : []
  return Math.max(stats.mtimeMs, ...names.map((name) => newestMs(join(path, name))))
}

const writtenMs = statSync(output, { throwIfNoEntry: false })?.mtimeMs ?? 0
if (sources.some((source) => newestMs(source) >= writtenMs)) {
  try {
    execSync(rest.slice(end + 1).join(' '), { stdio: 'inherit' })
  } catch (error) {
    process.exitCode = error.status ?? 1
  }
}
