/*
 * npm run bench -- fuzzy [kinds] [others] [growth] [quick]
 *
 * Fuzzy rows: CPU seconds and memory of this engine on rows of many kinds, beside what people would otherwise run,
 * and how it grows. Each figure comes from a process of its own, normalising included; one that takes longer than
 * two minutes is given up. Without a name all three tables are made; `quick` takes a tenth of the rows.
 */
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import { TOOLS } from './support/peers.mjs'
import { ROWS } from './support/rows.mjs'

const LIMIT_MS = 120_000

/** In a process of its own: one tool, one kind of rows. */
function work({ tool, kind, count, threshold }) {
  const rows = ROWS[kind](count)
  const start = process.cpuUsage()
  const kept = TOOLS[tool](rows, threshold)
  const { user, system } = process.cpuUsage(start)
  const memoryMb = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(JSON.stringify({ kept, cpuSeconds: (user + system) / 1e6, memoryMb }))
}

function measure(task) {
  const { stdout } = spawnSync(process.execPath, [import.meta.filename, '--work', JSON.stringify(task)], {
    timeout: LIMIT_MS,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return stdout ? JSON.parse(stdout) : undefined
}

const seconds = (result) => (result ? result.cpuSeconds.toFixed(2) : 'over 120')
const row = (...cells) => console.log(`| ${cells.join(' | ')} |`)
const head = (...cells) => {
  row(...cells)
  row(...cells.map(() => '---'))
}

function kinds(scale) {
  head('rows', 'threshold', 'CPU s', 'process MB', 'kept')
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
        `${count.toLocaleString('en')} ${kind}`,
        threshold,
        seconds(result),
        result?.memoryMb ?? '',
        result?.kept ?? '',
      )
    }
  }
}

function others(scale) {
  head('persons', 'rows', 'threshold', 'CPU s', 'ratio', 'duplicates missed', 'process MB')
  const works = [
    ['brute force, fastest-levenshtein', 10_000, 0.9],
    ['n-gram blocking', 10_000, 0.9],
    ['n-gram blocking', 10_000, 0.6],
    ['fuzzball dedupe', 2_000, 0.9],
  ]
  for (const [tool, rows, threshold] of works) {
    const task = { kind: 'persons', count: rows * scale, threshold }
    const [ours, theirs] = ['Keepfirst', tool].map((name) => measure({ ...task, tool: name }))
    const ratio = ours && theirs ? (theirs.cpuSeconds / ours.cpuSeconds).toFixed(1) : ''
    const missed = ours && theirs && tool !== 'fuzzball dedupe' ? theirs.kept - ours.kept : ''
    row('Keepfirst', task.count, threshold, seconds(ours), 1, 0, ours?.memoryMb ?? '')
    row(tool, task.count, threshold, seconds(theirs), ratio, missed, theirs?.memoryMb ?? '')
  }
}

function growth(scale) {
  head('persons, 0.9', 'Keepfirst CPU s', 'brute force CPU s', 'ratio')
  for (const rows of [1_000, 2_000, 5_000, 10_000, 20_000, 50_000]) {
    const task = { kind: 'persons', count: rows * scale, threshold: 0.9 }
    const ours = measure({ ...task, tool: 'Keepfirst' })
    const theirs = rows > 20_000 ? undefined : measure({ ...task, tool: 'brute force, fastest-levenshtein' })
    const ratio = ours && theirs ? (theirs.cpuSeconds / ours.cpuSeconds).toFixed(1) : ''
    row(task.count, seconds(ours), rows > 20_000 ? 'not tried' : seconds(theirs), ratio)
  }
}

if (process.argv[2] === '--work') {
  work(JSON.parse(process.argv[3]))
} else {
  const asked = process.argv.slice(2)
  const scale = asked.includes('quick') ? 0.1 : 1
  const tables = [kinds, others, growth]
  const chosen = tables.filter((table) => asked.includes(table.name))
  const day = new Date().toISOString().slice(0, 10)
  console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}, ${day}`)
  for (const table of chosen.length > 0 ? chosen : tables) {
    console.log()
    table(scale)
  }
}
