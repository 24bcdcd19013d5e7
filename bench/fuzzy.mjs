/*
 * npm run bench -- fuzzy [kinds] [others] [growth] [quick]
 *
 * Fuzzy rows: CPU seconds and memory of this engine on rows of many kinds, compared with what people would otherwise
 * run, and how they grow. Each figure comes from a separate process in which the tool has not run before. The input is
 * distinct normalised keys, so that normalising is counted separately; `again` is a second run in the same process, as
 * in a server. A run that takes longer than two minutes is abandoned. Without a name, all three tables are made;
 * `quick` uses a tenth of the rows.
 */
import { spawnSync } from 'node:child_process'
import { normalizeKey } from '../packages/engine/dist/fuzzy/index.js'
import { TOOLS } from './support/peers.mjs'
import { ROWS } from './support/rows.mjs'
import { head, machine, row } from './support/table.mjs'

const LIMIT_MS = 120_000

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

function measure(task) {
  const { stdout } = spawnSync(process.execPath, [import.meta.filename, '--work', JSON.stringify(task)], {
    timeout: LIMIT_MS,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return stdout ? JSON.parse(stdout) : undefined
}

const seconds = (figure, digits = 2) => figure?.toFixed(digits) ?? ''
const first = (result, digits) => (result ? seconds(result.seconds.first, digits) : 'over 120')
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
      const result = measure({ tool: 'Keepfirst', kind, count, threshold })
      row(
        `${whole(count)} ${kind}`,
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
    ['brute force, fastest-levenshtein', 10_000, 0.9],
    ['brute force, fastest-levenshtein', 20_000, 0.9],
    ['n-gram blocking', 10_000, 0.9],
    ['n-gram blocking', 50_000, 0.9],
    ['n-gram blocking', 10_000, 0.6],
    ['fuzzball dedupe', 2_000, 0.9],
  ]
  for (const [tool, rows, threshold] of works) {
    const task = { kind: 'persons', count: rows * scale, threshold }
    const [ours, theirs] = ['Keepfirst', tool].map((name) => measure({ ...task, tool: name }))
    const missed = ours && theirs && tool !== 'fuzzball dedupe' ? theirs.kept - ours.kept : ''
    for (const [name, result, lost] of [
      ['Keepfirst', ours, 0],
      [tool, theirs, missed],
    ]) {
      row(
        name,
        whole(task.count),
        threshold,
        first(result, 3),
        seconds(result?.seconds.again, 3),
        times(result?.seconds.first, ours?.seconds.first),
        times(result?.seconds.again ?? result?.seconds.first, ours?.seconds.again),
        lost,
        megabytes(result?.processBytes),
      )
    }
  }
}

function growth(scale) {
  head('persons, 0.9', 'Keepfirst, CPU s', 'again', 'brute force, CPU s', 'times')
  for (const rows of [1_000, 2_000, 5_000, 10_000, 20_000, 50_000]) {
    const task = { kind: 'persons', count: rows * scale, threshold: 0.9 }
    const ours = measure({ ...task, tool: 'Keepfirst' })
    const theirs = measure({ ...task, tool: 'brute force, fastest-levenshtein' })
    const ratio = times(theirs?.seconds.first, ours?.seconds.first)
    row(whole(task.count), first(ours, 3), seconds(ours?.seconds.again, 3), first(theirs, 3), ratio)
  }
}

if (process.argv[2] === '--work') {
  work(JSON.parse(process.argv[3]))
} else {
  const requested = process.argv.slice(2)
  const scale = requested.includes('quick') ? 0.1 : 1
  const tables = [kinds, others, growth]
  const chosen = tables.filter((table) => requested.includes(table.name))
  console.log(machine())
  for (const table of chosen.length > 0 ? chosen : tables) {
    console.log()
    table(scale)
  }
}
