import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'

/*
 * Tables of figures. Each is printed as it is made and, if the run succeeds, saved in `bench/figures/NAME.json` under
 * its first title. `npm run tables` writes the tables of the documents from there, so every figure has one source.
 */

const FIGURES = join(import.meta.dirname, '../figures')

/** The tables of this run, by first title. */
const tables = {}
let current

/** Starts a Markdown table; its first title identifies it within the benchmark. */
export function head(...titles) {
  current = { machine: machine(), titles, rows: [] }
  tables[titles[0]] = current
  print(titles)
  print(titles.map(() => '---'))
}

/** Adds a row to the current table. */
export function row(...cells) {
  current?.rows.push(cells.map(String))
  print(cells)
}

function print(cells) {
  console.log(`| ${cells.join(' | ')} |`)
}

/** The heading of every table: the machine, Node.js and the date. */
export function machine() {
  const day = new Date().toISOString().slice(0, 10)
  return `${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.version}, ${day}`
}

process.once('exit', (code) => {
  const [, , name = '', ...options] = process.argv
  const isPart = options.some((option) => /^(quick$|\d+$|\/)/.test(option)) // fewer rows, seconds, or pages
  if (code !== 0 || isPart || Object.keys(tables).length === 0) return
  const file = join(FIGURES, `${name}.json`)
  mkdirSync(FIGURES, { recursive: true })
  writeFileSync(file, `${oneRowPerLine(JSON.stringify({ ...figuresIn(file), ...tables }, null, 1))}\n`)
})

function figuresIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}

function oneRowPerLine(json) {
  return json.replace(/\[\s+("[^[\]]*")\s+\]/g, (_, cells) => `[${cells.replace(/\n\s+/g, ' ')}]`)
}
