/*
 * npm run bench -- fuzzy [quick]
 *
 * Fuzzy rows: CPU seconds and memory of this engine on rows of many kinds, compared with what people would otherwise
 * run, and how they grow. Each figure comes from a separate process in which the tool has not run before, and is
 * measured once, for all tables. The input is distinct normalised keys, so that normalising is counted separately;
 * `again` is a second run in the same process, as in a server. A run that takes longer than two minutes is abandoned.
 * `quick` uses a tenth of the rows.
 */
import { spawnSync } from 'node:child_process'
import { normalizeKey } from '../packages/engine/dist/fuzzy/index.js'
import { TOOLS } from './support/peers.mjs'
import { ROWS } from './support/rows.mjs'
import { head, machine, row } from './support/table.mjs'

const LIMIT_MS = 120_000

const BRUTE_FORCE = 'brute force, fastest-levenshtein'
const BLOCKING = 'n-gram blocking'

/** Anything slower than this is not run a second time. */
const WORTH_REPEATING_SECONDS = 5

/** Runs one tool on one kind of rows, in a separate process. */
function work({ tool, kind, count, threshold }) {
  const rows = ROWS[kind](count)
  const normalizing = timed(() => [...new Set(rows.map(normalizeKey))])
  const first = timed(() => TOOLS[tool](normalizing.result, threshold))
  const processBytes = process.resourceUsage().maxRSS * 1024
  const again = first.seconds < WORTH_REPEATING_SECONDS ? timed(() => TOOLS[tool](normalizing.result, threshold)) : {}
  const seconds = { normalizing: normalizing.seconds, first: first.seconds, again: again.seconds }
  console.log(JSON.stringify({ ...first.result, seconds, processBytes }))
}

function timed(run) {
  const start = process.cpuUsage()
  const result = run()
  const { user, system } = process.cpuUsage(start)
  return { result, seconds: (user + system) / 1e6 }
}

const measured = new Map()

function measure(tool, kind, count, threshold) {
  const task = JSON.stringify({ tool, kind, count, threshold })
  if (!measured.has(task)) {
    const { stdout } = spawnSync(process.execPath, [import.meta.filename, '--work', task], {
      timeout: LIMIT_MS,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    measured.set(task, stdout ? JSON.parse(stdout) : undefined)
  }
  return measured.get(task)
}

const seconds = (figure) => figure?.toFixed(figure < 1 ? 3 : 2) ?? ''
const first = (result) => (result ? seconds(result.seconds.first) : 'over 120')
const megabytes = (bytes) => (bytes ? Math.round(bytes / 2 ** 20) : '')
const whole = (number) => number?.toLocaleString('en') ?? ''
const times = (theirs, ours) => (theirs && ours ? Math.round(theirs / ours) : '')

function kinds(scale) {
  head('rows', 'threshold', 'normalising, CPU s', 'CPU s', 'again', 'pairs compared', 'kernel MB', 'kept')
  const works = [
    ['persons', 50_000, [0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5]],
    ['companies', 50_000, [0.9, 0.8, 0.5]],
    ['addresses', 50_000, [0.9, 0.8, 0.6]],
    ['8 random letters', 50_000, [0.5]],
    ['20 random letters', 50_000, [0.5]],
    ['anagrams of 24 letters', 50_000, [0.5]],
    ['200 random letters', 25_000, [0.9, 0.8]],
    ['sentences of 200 characters', 25_000, [0.9, 0.8]],
  ]
  for (const [kind, rows, thresholds] of works) {
    for (const threshold of thresholds) {
      const count = rows * scale
      const result = measure('Keepfirst', kind, count, threshold)
      row(
        `${whole(count)} ${/^\d/.test(kind) ? '× ' : ''}${kind}`,
        threshold,
        seconds(result?.seconds.normalizing),
        first(result),
        seconds(result?.seconds.again),
        whole(result?.pairsCompared),
        megabytes(result?.memoryBytes),
        whole(result?.kept),
      )
    }
  }
}

function others(scale) {
  head('persons', 'rows', 'threshold', 'CPU s', 'again', 'times', 'times again', 'duplicates missed', 'process MB')
  const works = [
    [2_000, 0.9, 'fuzzball dedupe'],
    [10_000, 0.9, BRUTE_FORCE, BLOCKING],
    [50_000, 0.9, BRUTE_FORCE, BLOCKING],
    [10_000, 0.6, BLOCKING],
  ]
  for (const [rows, threshold, ...tools] of works) {
    const count = rows * scale
    const ours = measure('Keepfirst', 'persons', count, threshold)
    for (const tool of ['Keepfirst', ...tools]) {
      const result = measure(tool, 'persons', count, threshold)
      row(
        tool,
        whole(count),
        threshold,
        first(result),
        seconds(result?.seconds.again),
        times(result?.seconds.first, ours?.seconds.first),
        times(result?.seconds.again ?? result?.seconds.first, ours?.seconds.again),
        ours && result && tool !== 'fuzzball dedupe' ? result.kept - ours.kept : '',
        megabytes(result?.processBytes),
      )
    }
  }
}

function growth(scale) {
  head('persons, 0.9', 'Keepfirst, CPU s', 'again', 'brute force, CPU s', 'times')
  for (const rows of [1_000, 2_000, 5_000, 10_000, 20_000, 50_000]) {
    const [ours, theirs] = ['Keepfirst', BRUTE_FORCE].map((tool) => measure(tool, 'persons', rows * scale, 0.9))
    const ratio = times(theirs?.seconds.first, ours?.seconds.first)
    row(whole(rows * scale), first(ours), seconds(ours?.seconds.again), first(theirs), ratio)
  }
}

if (process.argv[2] === '--work') {
  work(JSON.parse(process.argv[3]))
} else {
  const scale = process.argv.includes('quick') ? 0.1 : 1
  console.log(machine())
  for (const table of [kinds, others, growth]) {
    console.log()
    table(scale)
  }
}
