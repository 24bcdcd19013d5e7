/*
 * npm run bench -- local [MEGABYTES]
 *
 * Lines and rows on the command line compared with what people use: the same generated file (half of its lines are
 * duplicates), one tool after another, output discarded. Each tool also reads a file of the same size with few distinct
 * lines: the difference between the two peaks, divided by the number of keys, is its memory per distinct key. Tools
 * that are not installed are left out.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { head, machine, row } from './support/table.mjs'

const MEGABYTES = Number(process.argv[3] ?? 1_000)
const LINE_BYTES = 57
const FEW_LINES = 1_000
const command = join(import.meta.dirname, '../packages/service/bin/keepfirst.js')

/**
 * Writes lines that are also CSV rows without quotes, so that every tool can read them. `different`: how many distinct
 * lines to draw from.
 */
function generate(file, different) {
  const out = openSync(file, 'w')
  const seen = new Uint8Array(different)
  let state = 12_345
  for (let bytes = 0; bytes < MEGABYTES * 1_000_000; ) {
    let part = ''
    while (part.length < 1_000_000) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      const k = Math.floor((state / 2 ** 32) * different)
      seen[k] = 1
      part += `user${k}@example${k % 977}.org,${(k * 7_919) % 1_000_003},some street ${k % 311}, Town ${k % 53}\n`
    }
    bytes += writeSync(out, part)
  }
  closeSync(out)
  return { file, distinct: seen.reduce((sum, one) => sum + one, 0) }
}

const keepfirst = (...args) => ({ name: ['keepfirst', ...args].join(' '), run: [process.execPath, command, ...args] })
const other = (...run) => ({ name: run.map((part) => (part.includes('$') ? `'${part}'` : part)).join(' '), run })
const unordered = (tool) => ({ ...tool, isOrdered: false })
const duckdb = (name, query, memoryLimit = '') => ({
  name: `duckdb: ${name}`,
  run: [process.execPath, join(import.meta.dirname, 'support/duckdb.mjs'), query, memoryLimit],
})
/** The first row of each key in file order, written as in DuckDB's documentation. */
const firstOf = (table, key) =>
  `SELECT * EXCLUDE n FROM (SELECT *, row_number() OVER () AS n FROM ${table})
   QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY n) = 1 ORDER BY n`
const miller = ['--csv', '--implicit-csv-header', '--headerless-csv-output', '--allow-ragged-csv-input']

/** Order is kept unless stated otherwise. */
const TOOLS = {
  lines: [
    keepfirst('lines'),
    keepfirst('lines', '--exact'),
    keepfirst('lines', '--memory', '64M'),
    other('mawk', '!s[$0]++'),
    other('gawk', '!s[$0]++'),
    duckdb('QUALIFY row_number()', firstOf('lines', 'line')),
    duckdb('the same, memory_limit 64MB', firstOf('lines', 'line'), '64MB'),
    unordered(duckdb('SELECT DISTINCT', 'SELECT DISTINCT line FROM lines')),
    unordered(other('sort', '-u')),
    unordered(other('sort', '-u', '-S', '64M')),
  ],
  rows: [
    keepfirst('rows', '--no-header'),
    keepfirst('rows', '--no-header', '--key-columns', '0'),
    other('mawk', '-F,', '!s[$1]++'),
    other('gawk', '-F,', '!s[$1]++'),
    { name: 'mlr --csv head -n 1 -g 1', run: ['mlr', ...miller, 'head', '-n', '1', '-g', '1'] },
    other('csvtk', 'uniq', '-H', '-f', '1'),
    duckdb('QUALIFY row_number(), column 0', firstOf('rows', 'column0')),
    unordered(duckdb('SELECT DISTINCT', 'SELECT DISTINCT * FROM rows')),
    unordered(other('qsv', 'dedup', '--no-headers')),
  ],
}

function isInstalled(program) {
  return spawnSync('sh', ['-c', `command -v '${program}'`]).status === 0
}

/** Elapsed time, CPU time and peak memory of one run. In the C locale, tools compare bytes, which is fastest. */
function measure(run) {
  const script =
    'import os,sys,time,resource,subprocess\nt=time.time()\nsubprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL,check=True)\nu=resource.getrusage(resource.RUSAGE_CHILDREN)\nprint(time.time()-t,u.ru_utime+u.ru_stime,u.ru_maxrss)'
  const [seconds = 0, cpuSeconds = 0, kilobytes = 0] = execFileSync('python3', ['-c', script, ...run], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  })
    .split(' ')
    .map(Number)
  return { seconds, cpuSeconds, bytes: kilobytes * 1_024 }
}

function figures(tool, many, few) {
  try {
    return measured(tool, many, few)
  } catch {
    return [`\`${tool.name}\``, tool.isOrdered === false ? 'no' : 'yes', 'gave up', '', '', '']
  }
}

function measured({ name, run, isOrdered = true }, many, few) {
  const { seconds, cpuSeconds, bytes } = measure([...run, many.file])
  const bytesPerKey = (bytes - measure([...run, few.file]).bytes) / (many.distinct - few.distinct)
  return [
    `\`${name}\``,
    isOrdered ? 'yes' : 'no',
    seconds.toFixed(1),
    cpuSeconds.toFixed(1),
    Math.round(bytes / 1e6),
    Math.max(0, Math.round(bytesPerKey)),
  ]
}

const folder = mkdtempSync(join(tmpdir(), 'keepfirst-bench-'))
try {
  const many = generate(join(folder, 'many'), Math.floor((MEGABYTES * 1_000_000) / LINE_BYTES / 2))
  const few = generate(join(folder, 'few'), FEW_LINES)
  console.log(
    `${MEGABYTES} MB, ${many.distinct.toLocaleString('en')} distinct lines (${few.distinct} in the other file); ${machine()}\n`,
  )
  for (const [form, tools] of Object.entries(TOOLS)) {
    head(form, 'keeps order', 'seconds', 'CPU seconds', 'peak MB', 'bytes per distinct key')
    for (const tool of tools) if (isInstalled(tool.run[0])) row(...figures(tool, many, few))
    console.log()
  }
} finally {
  rmSync(folder, { recursive: true })
}
