import type { Question } from '../../src/modes/index.ts'
import { firstEqual, keptOf, readCsv, writeCsv } from './exact.ts'
import { lookUp, readValue } from './json.ts'

export interface ReferenceAnswer {
  /** The answer's `result`, as JSON text. */
  readonly result: string
  readonly kept: number
  readonly removed: number
  readonly survivorOf: readonly number[]
  /** Billed lines, data rows or items. */
  readonly rows: number
}

/**
 * A reference implementation of exact requests: the specification in its shortest form.
 * @param data the JSON text of the member `data`
 */
export function referenceAnswer(data: string, { mode, options }: Question): ReferenceAnswer {
  switch (mode) {
    case 'lines': {
      const all = String(JSON.parse(data)).split(/\r\n|\n|\r/)
      const lines = options.trim ? all.map((line) => line.trim()) : all
      const keys = lines.map((line) => {
        if (options.dropEmpty && line === '') return undefined
        return options.ignoreCase ? line.toLowerCase() : line
      })
      return answer(lines, keys, (kept) => JSON.stringify(kept))
    }
    case 'rows': {
      const all = readCsv(String(JSON.parse(data)))
      const header = options.hasHeader ? all.slice(0, 1) : []
      const rows = all.slice(header.length)
      const columns = [...new Set(options.keyColumns)]
      const keys = rows.map((row) => {
        const cells = columns.length === 0 ? row : columns.map((column) => row[column] ?? '')
        return JSON.stringify(options.caseSensitive ? cells : cells.map((cell) => cell.toLowerCase()))
      })
      return answer(rows, keys, (kept) => JSON.stringify(writeCsv([...header, ...kept])))
    }
    case 'json': {
      const items = readValue(data).members?.map(([, item]) => item) ?? []
      const keys = items.map((item) => lookUp(item, options.key)?.meaning ?? 'unresolved')
      return answer(items, keys, (kept) => `[${kept.map(({ text }) => text)}]`)
    }
  }
}

function answer<Item>(
  items: readonly Item[],
  keys: readonly (string | undefined)[],
  write: (kept: readonly Item[]) => string,
): ReferenceAnswer {
  const survivorOf = firstEqual(keys)
  const kept = keptOf(items, survivorOf)
  const discarded = survivorOf.filter((survivor) => survivor < 0).length
  return {
    result: write(kept),
    kept: kept.length,
    removed: items.length - kept.length - discarded,
    survivorOf,
    rows: items.length,
  }
}
