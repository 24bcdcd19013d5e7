// node duckdb.mjs QUERY MEMORY FILE: prints DuckDB's result as text. In QUERY, FILE is the table `lines` or `rows`.
// MEMORY is DuckDB's memory limit; may be empty.
import { tmpdir } from 'node:os'
import { DuckDBInstance } from '@duckdb/node-api'

const [, , query = '', memoryLimit = '', file = ''] = process.argv
const bound = memoryLimit ? { memory_limit: memoryLimit, temp_directory: tmpdir() } : {}
const connection = await (await DuckDBInstance.create(':memory:', bound)).connect()
const tables = {
  lines: "header = false, auto_detect = false, delim = '', quote = '', escape = '', columns = {'line': 'VARCHAR'}",
  rows: 'header = false, all_varchar = true',
}
for (const [name, how] of Object.entries(tables)) {
  await connection.run(`CREATE VIEW ${name} AS SELECT * FROM read_csv('${file.replaceAll("'", "''")}', ${how})`)
}
await connection.run(`COPY (${query}) TO '/dev/stdout' (FORMAT csv, HEADER false, QUOTE '', ESCAPE '')`)
