// `npm run dev`: serves on http://localhost:8080 from the sources. After a change, only what it affects (kernel,
// packages or pages) is rebuilt, and the server is restarted.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, watch } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** Editors save in several steps, and one build writes many files. */
const QUIET_MS = 100

/** In build order: the output of each step is input to the next. */
const STEPS = [
  { sources: /^packages\/engine\/assembly\//, script: 'build:kernel' },
  { sources: /^packages\/(?:engine|protocol|client|cli|service)\/src\//, script: 'build:packages' },
  { sources: /^packages\/(?:engine|protocol|cli|service)\/(?:src|build)\//, script: 'build:bundle' },
  {
    sources: /^packages\/(?:(?:engine|protocol|client)\/src|web)\/|^docs\/[^/]+\.md$|^(?:CHANGELOG\.md|LICENSE)$/,
    script: 'build:pages',
  },
]

const pending = new Set(STEPS)
let server
let timer
let isBuilding = false
/** Whether something changed while a build was running. */
let isBehind = false

const packages = readdirSync(join(ROOT, 'packages')).map((name) => join('packages', name))
for (const folder of ['.', 'docs', ...packages]) watchFolder(folder)
for (const folder of packages.flatMap(sourceFolders)) watchFolder(folder, { recursive: true })
process.on('SIGINT', () => end())
process.on('SIGTERM', () => end())
await build()

/** The folders of a package from which something is built. */
function sourceFolders(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['node_modules', 'dist', 'bundle', 'test'].includes(entry.name))
    .map(({ name }) => join(folder, name))
}

function watchFolder(folder, options) {
  watch(join(ROOT, folder), options, (_, file) => changed(join(folder, file ?? '')))
}

function changed(file) {
  for (const step of STEPS) if (step.sources.test(file)) pending.add(step)
  clearTimeout(timer)
  timer = setTimeout(build, QUIET_MS)
}

async function build() {
  isBehind = isBuilding
  if (isBuilding || pending.size === 0) return
  isBuilding = true
  let isGood = true
  for (const step of STEPS) {
    if (!isGood || !pending.delete(step)) continue
    const [code] = await once(spawn('npm', ['run', '--silent', step.script], { cwd: ROOT, stdio: 'inherit' }), 'exit')
    isGood = code === 0
    // If it fails, it is tried again after the next change.
    if (!isGood) pending.add(step)
  }
  if (isGood) await serve()
  isBuilding = false
  if (isBehind) await build()
}

async function serve() {
  await stop()
  const command = ['packages/service/bin/keepfirst.js', 'serve']
  server = spawn(process.execPath, command, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { DRAIN_SECONDS: '0', ...process.env },
  })
}

async function stop() {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
  const exit = once(server, 'exit')
  server.kill('SIGTERM')
  await exit
}

async function end() {
  await stop()
  process.exit()
}
