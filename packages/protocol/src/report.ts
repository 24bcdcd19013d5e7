import { type Mode, modeSpec } from './modes.ts'
import { unreachable } from './unreachable.ts'

/**
 * An entry in a report of what was removed: its position, its survivor's position and its text, each preceded by what
 * is given here. Positions count from 1.
 */
export interface ReportFormat {
  readonly position: string
  readonly survivor: string
  readonly entry: string
  readonly end: string
  /** The entry as it is written in the report. */
  readonly written: (entry: Uint8Array) => Uint8Array
}

/**
 * The format of a mode's reports: entries keep their own, so that a report of CSV is CSV, and one of JSON has an object
 * per line.
 * @param separator what separates the cells of the list, if it has cells
 */
export function reportFormat(mode: Mode, separator = ','): ReportFormat {
  const { report } = modeSpec(mode)
  switch (report) {
    case 'tsv':
      return columns('\t')
    case 'csv':
      return columns(separator)
    case 'jsonl':
      return { position: '{"position":', survivor: ',"survivor":', entry: ',"item":', end: '}\n', written: onOneLine }
    default:
      return unreachable(report)
  }
}

function columns(separator: string): ReportFormat {
  return { position: '', survivor: separator, entry: separator, end: '\n', written: (entry) => entry }
}

const NEWLINE = 0x0a
const RETURN = 0x0d
const SPACE = 0x20

/** Line breaks in JSON text can only be between tokens, where a space means the same. */
function onOneLine(item: Uint8Array): Uint8Array {
  const start = item.findIndex((byte) => byte > SPACE)
  return item.subarray(start).map((byte) => (byte === NEWLINE || byte === RETURN ? SPACE : byte))
}
