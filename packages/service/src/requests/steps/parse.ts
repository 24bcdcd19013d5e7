import {
  fuzzyKeys,
  itemsOf,
  type JsonValue,
  judgeItems,
  judgeLines,
  judgeRows,
  kindOf,
  type Rows,
  readLines,
  readRows,
  type ShouldStop,
  stringOf,
  type Verdicts,
  writeItems,
  writeLines,
  writeRows,
} from '@keepfirst/engine'
import { judgeFuzzy } from '@keepfirst/engine/fuzzy'
import { isMode, type Mode, modeSpec, type OptionsOf, type Refusal, refuse, unreachable } from '@keepfirst/protocol'
import type { Ran } from '../call.ts'
import { readBodyMembers } from './json.ts'
import { readOptions } from './options.ts'

/** A request that has been read and validated: what it costs is known, and it is ready to run. */
export interface Parsed {
  readonly kind: 'parsed'
  readonly mode: Mode
  /** Input rows as they are billed (specification 8.1). */
  readonly rows: number
  readonly fuzzy: boolean
  /**
   * Deduplicates. Throws the engine's `Stopped` once `shouldStop` answers true. `seed` is 32 random bits for the
   * hashes that a caller's data feeds; no verdict depends on it.
   */
  run(shouldStop: ShouldStop, seed?: number): Ran
}

/** How rows are compared: there is no case option beside fuzzy, and no threshold without it. */
type Matching =
  | { readonly kind: 'exact'; readonly caseSensitive: boolean }
  | { readonly kind: 'fuzzy'; readonly threshold: number }

const MEMBERS: ReadonlySet<string> = new Set(['mode', 'data', 'options'])

/**
 * Step 3, what is asked for: reads the body of `POST /api/dedupe`. Every 400 is found here, in the order of
 * specification 4.1; what depends on the caller as well is not. Pure: the same in line and in a worker thread.
 */
export function parse(body: ArrayBuffer | Uint8Array): Parsed | Refusal {
  const members = readBodyMembers(body, MEMBERS)
  if (members === undefined) return refuse.unparseableBody()
  const mode = modeOf(members.get('mode'))
  if (mode === undefined) return refuse.badMode()
  const data = members.get('data')
  if (data === undefined || kindOf(data) !== modeSpec(mode).data.type) return refuse.wrongData(mode)
  return prepare(mode, data, members.get('options'))
}

function modeOf(value: JsonValue | undefined): Mode | undefined {
  if (value === undefined || kindOf(value) !== 'string') return undefined
  const name = stringOf(value)
  return isMode(name) ? name : undefined
}

function prepare(mode: Mode, data: JsonValue, given: JsonValue | undefined): Parsed | Refusal {
  switch (mode) {
    case 'lines': {
      const options = readOptions(mode, given)
      return options.kind === 'refusal' ? options : prepareLines(data, options.values)
    }
    case 'rows': {
      const options = readOptions(mode, given)
      return options.kind === 'refusal' ? options : prepareRows(data, options.values)
    }
    case 'json': {
      const options = readOptions(mode, given)
      return options.kind === 'refusal' ? options : prepareItems(data, options.values)
    }
    default:
      return unreachable(mode)
  }
}

function prepareLines(data: JsonValue, options: OptionsOf<'lines'>): Parsed {
  const lines = readLines(stringOf(data), options)
  return {
    kind: 'parsed',
    mode: 'lines',
    rows: lines.count,
    fuzzy: false,
    run(shouldStop) {
      const verdicts = judgeLines(lines, options, shouldStop)
      return answer(JSON.stringify(writeLines(lines, verdicts)), verdicts)
    },
  }
}

function prepareRows(data: JsonValue, options: OptionsOf<'rows'>): Parsed {
  const { keyColumns, hasHeader, caseSensitive, fuzzy, threshold } = options
  const matching: Matching = fuzzy ? { kind: 'fuzzy', threshold } : { kind: 'exact', caseSensitive }
  const rows = readRows(stringOf(data), { hasHeader })
  return {
    kind: 'parsed',
    mode: 'rows',
    rows: rows.count,
    fuzzy,
    run(shouldStop, seed) {
      const verdicts = judge(rows, { keyColumns, matching, shouldStop, seed })
      return answer(JSON.stringify(writeRows(rows, verdicts)), verdicts)
    },
  }
}

interface RowsJudging {
  readonly keyColumns: readonly number[]
  readonly matching: Matching
  readonly shouldStop: ShouldStop
  readonly seed: number | undefined
}

function judge(rows: Rows, { keyColumns, matching, shouldStop, seed }: RowsJudging): Verdicts {
  switch (matching.kind) {
    case 'exact':
      return judgeRows(rows, { keyColumns, caseSensitive: matching.caseSensitive }, shouldStop)
    case 'fuzzy':
      return judgeFuzzy(fuzzyKeys(rows, keyColumns), matching.threshold, shouldStop, seed)
    default:
      return unreachable(matching)
  }
}

function prepareItems(data: JsonValue, { key }: OptionsOf<'json'>): Parsed {
  const items = itemsOf(data)
  return {
    kind: 'parsed',
    mode: 'json',
    rows: items.count,
    fuzzy: false,
    run(shouldStop) {
      const verdicts = judgeItems(items, { key }, shouldStop)
      return answer(writeItems(items, verdicts), verdicts)
    },
  }
}

/** Specification 2.3; `result` is JSON text. */
function answer(result: string, { kept, removed }: Verdicts): Ran {
  const body = new TextEncoder().encode(`{"result":${result},"kept":${kept},"removed":${removed}}`)
  return { kind: 'ran', body, kept, removed }
}
