import { shellWord } from '@keepfirst/protocol'
import { UserError } from './errors.ts'

/** A column as the user gave it: a position, counted from 0, or a name from the header. */
type Column = { readonly position: number } | { readonly name: string }

/** An argument of `--key-columns`. */
interface ColumnList {
  /** As typed. */
  readonly text: string
  readonly columns: readonly Column[]
}

/** The columns that rows are compared by: all those of one or more lists. */
export type ColumnChoice = readonly ColumnList[]

/** One item of a comma-separated list. As in CSV, quotes allow any character in a name. */
const PART = /\s*(?:"((?:[^"]|"")*)"|([^,]*?))\s*,/gy

/**
 * Parses a list such as `0,2`, `email,id` or `"e-mail, private"`.
 * @returns undefined if the text is not such a list
 */
export function parseColumns(text: string): ColumnList | undefined {
  const columns: Column[] = []
  let read = 0
  for (const [part, quoted, bare] of `${text},`.matchAll(PART)) {
    read += part.length
    if (quoted !== undefined) columns.push({ name: quoted.replaceAll('""', '"') })
    else if (bare) columns.push(/^\d+$/.test(bare) ? { position: positionIn(bare) } : { name: bare })
    else return undefined
  }
  return read === text.length + 1 ? { text, columns } : undefined
}

/** No row has as many columns as the largest number, and infinity is not one. */
function positionIn(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER)
}

/** Whether any of the columns is chosen by its name. */
export function hasNames(choice: ColumnChoice): boolean {
  return choice.some(({ columns }) => columns.some((column) => 'name' in column))
}

/**
 * Resolves the columns against a table's header.
 * @throws UserError when the header lacks a name, or has it more than once
 */
export function positionsOf(choice: ColumnChoice, header: readonly string[]): number[] {
  return columnsOf(choice, header).map((column) =>
    'name' in column ? positionOf(column.name, header) : column.position,
  )
}

/**
 * Checks the first row of a later file, which is data unless it equals the header: a header with its columns in another
 * order is not.
 * @throws OtherHeader when the row has all of the names
 */
export function checkFirstRow(choice: ColumnChoice, header: readonly string[], row: readonly string[]): void {
  const names = columnsOf(choice, header).flatMap((column) => ('name' in column ? [column.name] : []))
  if (names.every((name) => positionsNamed(name, row).length > 0)) throw new OtherHeader(header, row)
}

/** A later file whose header differs from that of the first. */
export class OtherHeader extends Error {
  override readonly name = 'OtherHeader'

  constructor(header: readonly string[], other: readonly string[]) {
    super(
      `its header is ${listed(other)}, but that of the first file is ${listed(header)}; make them equal, or choose columns by number to take this row as data`,
    )
  }
}

/** A column whose own name contains a comma may be given unquoted, if that cannot mean a list. */
function columnsOf(choice: ColumnChoice, header: readonly string[]): Column[] {
  return choice.flatMap(({ text, columns }) => {
    const isList = columns.every((column) => 'position' in column || positionsNamed(column.name, header).length > 0)
    return !isList && header.includes(text) ? [{ name: text }] : columns
  })
}

function positionOf(name: string, header: readonly string[]): number {
  const found = positionsNamed(name, header)
  const [position] = found
  if (position === undefined) {
    throw new UserError(`no column is named ${name}; the header has ${hintOfSeparator(header) ?? listed(header)}`)
  }
  if (found.length > 1) {
    throw new UserError(`columns ${listed(found.map(String))} are all named ${name}; choose one by its number`)
  }
  return position
}

function positionsNamed(name: string, header: readonly string[]): number[] {
  const exact = positionsWhere(header, (cell) => cell === name)
  return exact.length > 0 ? exact : positionsWhere(header, (cell) => cell.trim() === name)
}

function positionsWhere(header: readonly string[], is: (cell: string) => boolean): number[] {
  return header.flatMap((cell, position) => (is(cell) ? [position] : []))
}

/**
 * The message for columns that no row has.
 * @param header the cells of the header, if there is one
 */
export function noRowHas(choice: ColumnChoice, header: readonly string[] | undefined): string {
  const columns = choice.flatMap((list) => list.columns)
  const positions = columns.map((column) => ('name' in column ? `"${column.name}"` : String(column.position)))
  const which = `column${columns.length > 1 ? 's' : ''} ${listed(positions)}`
  const hint = header && hintOfSeparator(header)
  if (hint) return `the header has no ${which} and ${hint}`
  return `no row has ${which}; columns count from 0${header ? `, the header has ${header.length}` : ''}`
}

const SEPARATORS = [
  { character: ';', called: 'semicolons' },
  { character: '\t', called: 'tabs' },
  { character: '|', called: 'bars' },
]

/** What the header has, if that suggests `--delimiter`: no comma but some other separator. */
export function hintOfSeparator(header: readonly string[]): string | undefined {
  const [only = ''] = header
  const separator = header.length === 1 ? SEPARATORS.find(({ character }) => only.includes(character)) : undefined
  if (!separator) return undefined
  const typed = separator.character === '\t' ? '\\t' : separator.character
  return `no comma but ${separator.called}; try --delimiter ${shellWord(typed)}`
}

const MAX_LISTED = 12

function listed(words: readonly string[]): string {
  const shown = words.slice(0, MAX_LISTED).join(', ')
  return words.length > MAX_LISTED ? `${shown}, …` : shown
}
