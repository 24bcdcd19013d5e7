import { judgeRows, readRows, type Verdicts } from '../../src/index.ts'
import { judgeLines } from '../../src/lines.ts'
import type { LineStreamOptions, RowStreamOptions } from '../../src/stream/index.ts'

/** What a stream must answer, from the whole text at once. */
export interface Answer {
  output: string
  kept: number
  removed: number
}

/** A piece of the input and what ends it. */
interface Piece {
  text: string
  lineBreak: string
}

/** Survivors with their own line breaks; at the very end a line break only if the input ends with one. */
function write(pieces: readonly Piece[], verdicts: Verdicts, head: readonly Piece[] = []): Answer {
  const kept = [...head, ...pieces.filter((_, i) => verdicts.survivorOf[i] === i)]
  const endsWithBreak = [...head, ...pieces].at(-1)?.lineBreak !== ''
  let output = ''
  const add = (text: string): void => {
    // Two line breaks stay two.
    if (output.endsWith('\r') && text.startsWith('\n')) output += '\n'
    output += text
  }
  kept.forEach(({ text, lineBreak }, i) => {
    add(text)
    if (i < kept.length - 1 || endsWithBreak) add(lineBreak)
  })
  return { output, kept: verdicts.kept, removed: verdicts.removed }
}

/** Of one file only: then each piece but the last has a line break of its own. */
export function wholeLines(text: string, options: LineStreamOptions): Answer {
  const pieces = [...text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)]
    .map(([, line = '', lineBreak = '']) => ({
      text: options.trim ? line.trim() : line,
      lineBreak,
      length: line.length,
    }))
    .filter(({ length, lineBreak }) => length + lineBreak.length > 0)
  const lines = { count: pieces.length, lines: pieces.map((piece) => piece.text) }
  return write(pieces, judgeLines(lines, options))
}

export function wholeRows(text: string, options: RowStreamOptions): Answer {
  const rows = readRows(text, options)
  const all = Array.from({ length: rows.count + rows.headers }, (_, i): Piece => {
    const end = rows.spans.end(i)
    return {
      text: rows.text.slice(rows.spans.start(i), end),
      lineBreak: /^(\r\n|\n|\r|)/.exec(rows.text.slice(end))?.[0] ?? '',
    }
  })
  const mark = text.slice(0, text.length - rows.text.length)
  const answer = write(all.slice(rows.headers), judgeRows(rows, options), all.slice(0, rows.headers))
  return { ...answer, output: mark + answer.output }
}
