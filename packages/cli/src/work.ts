import { randomInt } from 'node:crypto'
import {
  type Sifting,
  type StreamOptions,
  siftFuzzyRows,
  siftJson,
  siftLines,
  siftRows,
} from '@keepfirst/engine/stream'
import { type Mode, type OptionsOf, type ReportFormat, reportFormat } from '@keepfirst/protocol'
import { type ColumnChoice, checkFirstRow, hasNames, hintOfSeparator, noRowHas, positionsOf } from './columns.ts'
import { firstItemOf, noItemHas } from './paths.ts'
import { printError } from './print.ts'

/** What one command does with its input. */
export interface Work {
  readonly mode: Mode
  /** How what was dropped is reported. */
  readonly report: ReportFormat
  /** Creates the deduplicator, once the destination of the output is known. */
  deduplicator(stream: StreamOptions): Sifting
  /** Present when items are compared by a part of them, which might be missing from all of them. */
  readonly key?: KeyChoice
}

export interface KeyChoice {
  /** Items without the part are kept anyway, so none of them would be lost. */
  readonly keepsEmpty: boolean
  /** Whether the header shows that the wrong part was chosen, even though some items happen to have it. */
  isMistaken(): boolean
  /** How many items have nothing in that part. */
  empty(counts: Sifting): number
  /** A one-line explanation of why no item has it, given the number of items and the pending output. */
  missing(count: number, out: Uint8Array): string
}

/** What `keepfirst lines` does. */
export function linesWork(options: OptionsOf<'lines'>, own: { nullSeparated: boolean }): Work {
  const report = { ...reportFormat('lines'), ...(own.nullSeparated ? { end: '\0' } : {}) }
  return { mode: 'lines', report, deduplicator: (stream) => siftLines({ ...options, ...own }, stream) }
}

/** What `keepfirst rows` does: names of columns are resolved once the header has been read. */
export async function rowsWork(
  options: OptionsOf<'rows'>,
  own: { choice: ColumnChoice | undefined; delimiter: number | undefined; keepEmpty: boolean },
): Promise<Work> {
  const { choice, keepEmpty, delimiter } = own
  let header: readonly string[] | undefined
  let isMistaken = false
  const resolve = (cells: readonly string[]): number[] => {
    header = cells
    const positions = choice ? positionsOf(choice, cells) : []
    const hint = hintOfSeparator(cells)
    isMistaken = hint !== undefined && positions.every((position) => position >= cells.length)
    if (hint !== undefined && !isMistaken) printError(`keepfirst: the header has ${hint}\n`)
    return positions
  }
  const { fuzzy, threshold, hasHeader, caseSensitive } = options
  const keyColumns = choice === undefined ? [] : hasHeader ? resolve : positionsOf(choice, [])
  const rows = {
    keyColumns,
    hasHeader,
    keepEmpty,
    ...(choice && hasNames(choice)
      ? { checkFirstRow: (row: readonly string[]) => checkFirstRow(choice, header ?? [], row) }
      : {}),
    ...(delimiter === undefined ? {} : { delimiter }),
  }
  const missing = (): string => (choice ? noRowHas(choice, header) : '')
  const empty = ({ emptyKeys }: Sifting): number => emptyKeys
  const work = {
    mode: 'rows' as const,
    report: reportFormat('rows', delimiter === undefined ? undefined : String.fromCharCode(delimiter)),
    ...(choice ? { key: { keepsEmpty: keepEmpty, isMistaken: () => isMistaken, empty, missing } } : {}),
  }
  if (!fuzzy) return { ...work, deduplicator: (stream) => siftRows({ ...rows, caseSensitive }, stream) }
  const { judgeFuzzy } = await import('@keepfirst/engine/fuzzy')
  const judgeKeys = (keys: readonly string[]) => judgeFuzzy(keys, threshold, undefined, randomInt(2 ** 32))
  return { ...work, deduplicator: (stream) => siftFuzzyRows({ ...rows, judgeKeys }, stream) }
}

/** What `keepfirst json` does. */
export function jsonWork({ key: path }: OptionsOf<'json'>, own: { isLines: boolean }): Work {
  const deduplicator = (stream: StreamOptions): Sifting => siftJson({ key: path, ...own }, stream)
  const work = { mode: 'json' as const, report: reportFormat('json'), deduplicator }
  if (path === '') return work
  const empty = ({ kept, removed, withKey }: Sifting): number => kept + removed - withKey
  const missing = (count: number, out: Uint8Array): string => noItemHas(path, count, firstItemOf(out))
  return { ...work, key: { keepsEmpty: false, isMistaken: () => false, empty, missing } }
}
