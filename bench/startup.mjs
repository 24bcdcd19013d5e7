/*
 * The cost of a command before it does anything: CPU time of the whole process and elapsed time, the best of several
 * runs, compared with a bare `node -e 0` in the same run.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { head, machine, row } from './support/table.mjs'

const RUNS = 10
const SCRIPT =
  'import resource,subprocess,sys,time\nt=time.time()\nsubprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL,check=True)\nu=resource.getrusage(resource.RUSAGE_CHILDREN)\nprint(u.ru_utime+u.ru_stime,time.time()-t)'
const bin = (name) => join(import.meta.dirname, `../packages/${name}/bin/keepfirst.js`)

const folder = mkdtempSync(join(tmpdir(), 'keepfirst-startup-'))
const env = {
  ...process.env,
  DATABASE_URL: `sqlite:${folder}/keepfirst.db`,
  PORT: String(30_000 + (process.pid % 10_000)),
  DRAIN_SECONDS: '0',
}
const small = join(folder, 'small.txt')
writeFileSync(small, 'a\nb\na\n')

const COMMANDS = [
  { name: '`node -e 0`', args: ['-e', '0'] },
  { name: '`keepfirst serve`, until it is ready', args: [bin('service'), 'serve'], isServer: true },
  { name: '`keepfirst --help`', args: [bin('service'), '--help'] },
  { name: '`keepfirst --help` (@keepfirst/cli)', args: [bin('cli'), '--help'] },
  { name: '`keepfirst lines`, a small file', args: [bin('service'), 'lines', small] },
  { name: '`keepfirst rows`, a small file', args: [bin('service'), 'rows', small] },
  { name: '`keepfirst json --lines`, an empty file', args: [bin('service'), 'json', '--lines', '/dev/null'] },
  {
    name: '`keepfirst keys create`',
    args: [bin('service'), 'keys', 'create', '--account', 'a@example.com', '--plan', 'pro'],
  },
]

function measure(args) {
  const { stdout, stderr, status } = spawnSync('python3', ['-c', SCRIPT, process.execPath, ...args], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  const [cpuSeconds = 0, seconds = 0] = stdout.split(' ').map(Number)
  return { cpuSeconds, seconds }
}

const TICK_SECONDS = 0.01

/** From the start of the process until it reports that it is ready. */
async function measureServer(args) {
  const start = performance.now()
  const server = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const text of server.stdout) if (String(text).includes('is ready')) break
  const seconds = (performance.now() - start) / 1_000
  const [user, system] = readFileSync(`/proc/${server.pid}/stat`, 'latin1').split(') ')[1].split(' ').slice(11, 13)
  server.kill('SIGTERM')
  await once(server, 'exit')
  return { cpuSeconds: (Number(user) + Number(system)) * TICK_SECONDS, seconds }
}

try {
  const best = COMMANDS.map(() => ({ cpuSeconds: Infinity, seconds: Infinity }))
  // Interleaved, so that a moment when the machine is busy affects all of them.
  for (let run = 0; run < RUNS; run++) {
    for (const [index, { args, isServer }] of COMMANDS.entries()) {
      const now = isServer ? await measureServer(args) : measure(args)
      for (const key of ['cpuSeconds', 'seconds']) best[index][key] = Math.min(best[index][key], now[key])
    }
  }
  console.log(`the least of ${RUNS} runs; ${machine()}\n`)
  head('command', 'CPU ms', 'ms', 'CPU, bare node = 1')
  for (const [index, { name }] of COMMANDS.entries()) {
    const { cpuSeconds, seconds } = best[index]
    row(name, Math.round(cpuSeconds * 1e3), Math.round(seconds * 1e3), (cpuSeconds / best[0].cpuSeconds).toFixed(1))
  }
} finally {
  rmSync(folder, { recursive: true })
}
