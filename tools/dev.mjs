// `npm run dev`: serves on http://localhost:8080 from the sources. After a change, only what it affects (kernel,
// packages or pages) is rebuilt, and the server is restarted.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** Editors save in several steps, and one build writes many files. */
const QUIET_MS = 100

/** In build order: the output of each step is input to the next. */
const STEPS = [
  { sources: /^packages\/engine\/assembly\//, script: 'build:kernel' },
  { sources: /^packages\/(?:engine|protocol|client|cli|service)\/src\//, script: 'build:packages' },
  { sources: /^packages\/(?:engine|protocol|cli|service)\/(?:src|build)\//, script: 'build:bundle' },
  { sources: /^packages\/(?:engine|protocol|client|web)\/(?:src|build)\//, script: 'build:pages' },
]

const pending = new Set(STEPS)
let server
let timer
let isBuilding = false
/** Whether something changed while a build was running. */
let isBehind = false

for (const folder of readdirSync(join(ROOT, 'packages'))) {
  for (const sources of ['src', 'assembly', 'build']) {
    const path = join('packages', folder, sources)
    if (!existsSync(join(ROOT, path))) continue
    watch(join(ROOT, path), { recursive: true }, (_, file) => changed(join(path, file ?? '')))
  }
}
process.on('SIGINT', () => end())
process.on('SIGTERM', () => end())
await build()

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
