/*
 * What people would otherwise write. `node exact-tools.mjs FORM TOOL COUNT`, in a separate process; prints the time of
 * the first run in milliseconds, its CPU milliseconds, its peak megabytes beyond the list itself, and the milliseconds
 * of the best of some further runs.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mixed } from './exact-lists.mjs'

const engine = () => import('../../packages/engine/dist/index.js')
const lodash = async () => (await import('lodash')).default

/** Tools by the form of their input; each returns the survivors as text. */
export const TOOLS = {
  lines: {
    Keepfirst: async () => {
      const { dedupeLines } = await engine()
      return (list) => dedupeLines(list).result.join('\n')
    },
    'split and Set': async () => (list) => [...new Set(list.split(/\r\n?|\n/))].join('\n'),
    'lodash uniq': async () => {
      const { uniq } = await lodash()
      return (list) => uniq(list.split(/\r\n?|\n/)).join('\n')
    },
  },
  rows: {
    Keepfirst: async () => {
      const { dedupeRows } = await engine()
      return (list) => dedupeRows(list, { keyColumns: [0] }).result
    },
    'papaparse and Set': async () => {
      const { default: papa } = await import('papaparse')
      return (list) => papa.unparse(firstRows(papa.parse(list).data), { newline: '\n' })
    },
    'csv-parse and Set': async () => {
      const { parse } = await import('csv-parse/sync')
      const { default: papa } = await import('papaparse')
      return (list) => papa.unparse(firstRows(parse(list, { relax_column_count: true })), { newline: '\n' })
    },
    'uDSV and Set': async () => {
      const { inferSchema, initParser } = await import('udsv')
      const { default: papa } = await import('papaparse')
      return (list) => {
        const schema = inferSchema(list)
        const names = schema.cols.map(({ name }) => name)
        return papa.unparse([names, ...firstRows(initParser(schema).stringArrs(list), 0)], { newline: '\n' })
      }
    },
    'DuckDB for Node.js': async () => {
      const { DuckDBInstance } = await import('@duckdb/node-api')
      const connection = await (await DuckDBInstance.create(':memory:')).connect()
      return (list) =>
        inFile(list, async (file) => {
          const numbered = `SELECT *, row_number() OVER () AS n FROM read_csv('${file}', all_varchar = true)`
          const first = 'QUALIFY row_number() OVER (PARTITION BY #1 ORDER BY n) = 1 ORDER BY n'
          await connection.run(
            `COPY (SELECT * EXCLUDE n FROM (${numbered}) ${first.replace('#1', 'columns[1]')}) TO '${file}.out'`.replace(
              'columns[1]',
              list.slice(0, list.indexOf(',')),
            ),
          )
          return (await import('node:fs')).readFileSync(`${file}.out`, 'utf8').trimEnd()
        })
    },
    Miller: async () =>
      command('mlr', ['--csv', '--quote-original', 'head', '-n', '1', '-g'], (list) => [
        list.slice(0, list.indexOf(',')),
      ]),
  },
  json: {
    Keepfirst: async () => {
      const { dedupeJson } = await engine()
      return (list) => dedupeJson(list).result
    },
    'JSON.parse and JSON.stringify, nothing removed': async () => (list) => JSON.stringify(JSON.parse(list)),
    'JSON.parse and Set of JSON.stringify': async () => (list) =>
      `[${[...new Set(JSON.parse(list).map((item) => JSON.stringify(item)))]}]`,
    'lodash uniqBy JSON.stringify': async () => {
      const { uniqBy } = await lodash()
      return (list) => JSON.stringify(uniqBy(JSON.parse(list), JSON.stringify))
    },
    'lodash uniqWith isEqual': async () => {
      const { uniqWith, isEqual } = await lodash()
      return (list) => JSON.stringify(uniqWith(JSON.parse(list), isEqual))
    },
    'jq unique': async () => command('jq', ['-c', 'unique'], () => []),
  },
}

/** The first row for each value in the first column; the first `headers` rows are kept. */
function firstRows(rows, headers = 1) {
  const seen = new Set()
  return rows.filter((row, i) => i < headers || (!seen.has(row[0]) && seen.add(row[0])))
}

async function inFile(list, work) {
  const folder = mkdtempSync(join(tmpdir(), 'keepfirst-bench-'))
  try {
    writeFileSync(join(folder, 'list'), list)
    return await work(join(folder, 'list'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A tool that runs a program on its standard input; undefined if the program is not installed. */
function command(program, args, more) {
  if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0) return undefined
  return (list) => {
    const { stdout } = spawnSync(program, [...args, ...more(list)], { input: list, maxBuffer: 1e9, encoding: 'utf8' })
    return stdout.trimEnd()
  }
}

const LISTS = { lines: mixed.text, rows: mixed.csv, json: mixed.array }
const RUNS_AGAIN = 4

if (process.argv[1] === import.meta.filename) {
  const [, , form, name, count] = process.argv
  const tool = await TOOLS[form][name]()
  const list = LISTS[form](Number(count))
  const before = process.resourceUsage()
  const startMs = performance.now()
  await tool(list)
  const ms = performance.now() - startMs
  const after = process.resourceUsage()
  const cpuMs = (after.userCPUTime + after.systemCPUTime - before.userCPUTime - before.systemCPUTime) / 1_000
  const megabytes = (after.maxRSS - before.maxRSS) / 1_024
  let againMs = ms
  for (let run = 0; run < RUNS_AGAIN; run++) {
    const againStartMs = performance.now()
    await tool(list)
    againMs = Math.min(againMs, performance.now() - againStartMs)
  }
  console.log(JSON.stringify({ ms, againMs, cpuMs, megabytes }))
}
