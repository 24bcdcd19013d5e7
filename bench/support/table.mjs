import { cpus } from 'node:os'

/** A row of a Markdown table. */
export function row(...cells) {
  console.log(`| ${cells.join(' | ')} |`)
}

export function head(...titles) {
  row(...titles)
  row(...titles.map(() => '---'))
}

/** What every table is headed by: the machine, Node.js and the day. */
export function machine() {
  const day = new Date().toISOString().slice(0, 10)
  return `${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.version}, ${day}`
}
