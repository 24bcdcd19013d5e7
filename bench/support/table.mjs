import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'

/*
 * Tables of figures. Each is printed as it is made and, when the run ends well, kept in `bench/figures/NAME.json` under
 * its first title: the documents are written from there (`npm run tables`), so that a figure stands in one place.
 */

const FIGURES = join(import.meta.dirname, '../figures')

/** What this run has made, by first title. */
const tables = {}
let current

/** Begins a Markdown table; the first title names it among those of the benchmark. */
export function head(...titles) {
  current = { machine: machine(), titles, rows: [] }
  if (titles[0] !== '') tables[titles[0]] = current
  print(titles)
  print(titles.map(() => '---'))
}

/** A row of the table that was begun last. */
export function row(...cells) {
  current?.rows.push(cells.map(String))
  print(cells)
}

function print(cells) {
  console.log(`| ${cells.join(' | ')} |`)
}

/** What every table is headed by: the machine, Node.js and the day. */
export function machine() {
  const day = new Date().toISOString().slice(0, 10)
  return `${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.version}, ${day}`
}

process.once('exit', (code) => {
  const [, , name = '', ...options] = process.argv
  const isSmall = options.some((option) => option === 'quick' || /^\d+$/.test(option))
  if (code !== 0 || isSmall || Object.keys(tables).length === 0) return
  const file = join(FIGURES, `${name}.json`)
  mkdirSync(FIGURES, { recursive: true })
  writeFileSync(file, `${oneRowALine(JSON.stringify({ ...figuresIn(file), ...tables }, null, 1))}\n`)
})

function figuresIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}

function oneRowALine(json) {
  return json.replace(/\[\s+("[^[\]]*")\s+\]/g, (_, cells) => `[${cells.replace(/\n\s+/g, ' ')}]`)
}
