import type { LineStreamOptions, RowStreamOptions } from '../../src/stream/index.ts'
import { firstEqual, readRows } from './exact.ts'

/** The expected outcome of a stream, computed from the whole text at once. */
export interface Answer {
  output: string
  kept: number
  removed: number
  withKey: number
  emptyKeys: number
}

/** A piece of the input, the line break that ends it, and its key, which is undefined if the piece is dropped. */
interface Piece {
  text: string
  lineBreak: string
  key: string | undefined
  /** Whether the key is empty. */
  isEmpty: boolean
  /** Whether it has any of the key columns. */
  hasKey: boolean
}

/** Joins the survivors with their own line breaks; the output ends with one only if the input does. */
function write(pieces: readonly Piece[], head: readonly Piece[] = []): Answer {
  const survivorOf = firstEqual(pieces.map(({ key }) => key))
  const kept = pieces.filter((_, i) => survivorOf[i] === i)
  const all = [...head, ...kept]
  const endsWithBreak = [...head, ...pieces].at(-1)?.lineBreak !== ''
  let output = ''
  const add = (text: string): void => {
    // CR and LF of different lines must not become one line break.
    if (output.endsWith('\r') && text.startsWith('\n')) output += '\n'
    output += text
  }
  all.forEach(({ text, lineBreak }, i) => {
    add(text)
    if (i < all.length - 1 || endsWithBreak) add(lineBreak)
  })
  return {
    output,
    kept: kept.length,
    removed: survivorOf.filter((survivor, i) => survivor >= 0 && survivor !== i).length,
    withKey: pieces.filter(({ hasKey }) => hasKey).length,
    emptyKeys: pieces.filter(({ isEmpty }) => isEmpty).length,
  }
}

/** For one file only: then each line except the last one has its own line break. */
export function wholeLines(text: string, options: LineStreamOptions): Answer {
  const pattern = options.nullSeparated ? /([^\0]*)(\0|$)/g : /([^\r\n]*)(\r\n|\n|\r|$)/g
  const pieces = [...text.matchAll(pattern)]
    .filter(([source]) => source !== '')
    .map(([, line = '', lineBreak = '']): Piece => {
      const text = options.trim ? line.trim() : line
      const isDropped = options.dropEmpty && text === ''
      const key = options.ignoreCase ? text.toLowerCase() : text
      return { text, lineBreak, key: isDropped ? undefined : key, isEmpty: text === '', hasKey: true }
    })
  return write(pieces)
}

export function wholeRows(text: string, options: RowStreamOptions & { keyColumns: readonly number[] }): Answer {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const rows = readRows(text.slice(mark.length), String.fromCharCode(options.delimiter ?? 0x2c))
  const pieces = rows.map(({ cells, text, lineBreak }, i): Piece => {
    const columns = [...new Set(options.keyColumns)]
    const chosen = columns.length === 0 ? cells : columns.map((column) => cells[column] ?? '')
    const isEmpty = chosen.every((cell) => cell === '')
    const key = JSON.stringify(options.caseSensitive ? chosen : chosen.map((cell) => cell.toLowerCase()))
    return {
      text,
      lineBreak,
      key: isEmpty && options.keepEmpty ? `row ${i}` : key,
      isEmpty,
      hasKey: columns.length === 0 || columns.some((column) => column < cells.length),
    }
  })
  const headers = options.hasHeader ? 1 : 0
  const answer = write(pieces.slice(headers), pieces.slice(0, headers))
  return { ...answer, output: mark + answer.output }
}
