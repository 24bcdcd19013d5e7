import { unreachable } from '@keepfirst/protocol'
import { type JudgedList, judge, Unreadable } from './list.ts'
import type {
  Answer,
  Ask,
  Content,
  Entry,
  FileName,
  FromWorker,
  ListName,
  Stage,
  Summary,
  ToWorker,
} from './messages.ts'
import { LARGEST_BODY_BYTES, type Question } from './question.ts'
import { requestBody } from './requests.ts'

/*
 * Where lists are worked on: in a thread of the page. What is long stays here; the page asks for the
 * entries that it shows and for files to save.
 */

/** The run whose entries are shown. */
interface Run {
  readonly text: string
  readonly question: Question
  readonly list: JudgedList
  readonly positions: Record<ListName, Int32Array>
}

/** Text of a blob that was read, so that another question about it does not read it again. */
let read: { readonly content: Content; readonly text: string } | undefined
let run: Run | undefined

addEventListener('message', async ({ data: { id, ask } }: MessageEvent<ToWorker>) => {
  const say = (says: FromWorker['says']): void => postMessage({ id, says } satisfies FromWorker)
  try {
    say(await answer(ask, (stage) => say({ kind: 'stage', stage })))
  } catch (error) {
    say({ kind: 'failed', message: inWords(error) })
  }
})

async function answer(ask: Ask, onStage: (stage: Stage) => void): Promise<Answer> {
  switch (ask.kind) {
    case 'judge':
      return { kind: 'judged', summary: await runJudge(ask.content, ask.question, onStage) }
    case 'entries':
      return { kind: 'entries', entries: entries(current(), ask) }
    case 'file':
      return { kind: 'file', file: new Blob([fileText(current(), ask.file)]) }
    default:
      return unreachable(ask)
  }
}

function current(): Run {
  if (!run) throw new Unreadable('There is no result yet.')
  return run
}

async function runJudge(content: Content, question: Question, onStage: (stage: Stage) => void): Promise<Summary> {
  run = undefined
  onStage('reading')
  const text = await textOf(content)
  const start = performance.now()
  const list = await judge(text, question, () => onStage('comparing'))
  const durationMs = performance.now() - start
  run = { text, question, list, positions: positionsOf(list) }
  const { count, columns, verdicts } = list
  const requestBytes = requestSize(text, question)
  return { count, kept: verdicts.kept, removed: verdicts.removed, columns, requestBytes, durationMs }
}

async function textOf(content: Content): Promise<string> {
  if (typeof content === 'string') return content
  if (read?.content !== content) read = { content, text: decoded(await content.arrayBuffer()) }
  return read.text
}

/** Bytes that are no UTF-8 are refused: replaced ones would make different entries equal. */
function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw new Unreadable('This file is not text in UTF-8. Save it as UTF-8 and try again.')
  }
}

function positionsOf({ count, verdicts: { survivorOf, kept, removed } }: JudgedList): Run['positions'] {
  const positions = { kept: new Int32Array(kept), removed: new Int32Array(removed) }
  let keptSoFar = 0
  let removedSoFar = 0
  for (let entry = 0; entry < count; entry += 1) {
    const survivor = survivorOf[entry] ?? -1
    if (survivor === entry) positions.kept[keptSoFar++] = entry
    else if (survivor >= 0) positions.removed[removedSoFar++] = entry
  }
  return positions
}

/** Entries are shown in one line; what is longer is cut, the files have all of it. */
const SHOWN_CHARACTERS = 400

function entries(from: Run, ask: Extract<Ask, { kind: 'entries' }>): Entry[] {
  const { list } = from
  const shown = (entry: number) => ({
    number: entry + 1,
    cells: list.show(entry).map((cell) => cell.slice(0, SHOWN_CHARACTERS)),
  })
  const positions = from.positions[ask.list].subarray(ask.from, ask.from + ask.count)
  return Array.from(positions, (entry) => {
    if (ask.list === 'kept') return shown(entry)
    return { ...shown(entry), survivor: shown(list.verdicts.survivorOf[entry] ?? entry) }
  })
}

function fileText(from: Run, file: FileName): string {
  switch (file) {
    case 'result':
      return from.list.write()
    case 'removed':
      return removedReport(from)
    case 'request':
      return requestBody(from.text, from.question)
    default:
      return unreachable(file)
  }
}

/** CSV: number and text of each removed entry, number and text of its survivor. */
function removedReport({ list, positions }: Run): string {
  const text = (entry: number) => quoted(list.show(entry).map(quotedIfNeeded(list)).join(','))
  const rows = Array.from(positions.removed, (entry) => {
    const survivor = list.verdicts.survivorOf[entry] ?? entry
    return `${entry + 1},${text(entry)},${survivor + 1},${text(survivor)}`
  })
  return ['number,removed,survivor_number,survivor', ...rows].join('\n')
}

/** A cell of a row that becomes one text; an entry that is one text stays as it is. */
function quotedIfNeeded({ columns }: JudgedList): (cell: string) => string {
  return (cell) => (columns.length > 0 && /[",\r\n]/.test(cell) ? quoted(cell) : cell)
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`
}

/** A body is at least as long as its text, so that a list that is too long is never written down to know it. */
function requestSize(text: string, question: Question): number | null {
  if (text.length > LARGEST_BODY_BYTES) return null
  const bytes = new TextEncoder().encode(requestBody(text, question)).length
  return bytes > LARGEST_BODY_BYTES ? null : bytes
}

function inWords(error: unknown): string {
  if (error instanceof Unreadable) return error.message
  if (error instanceof RangeError)
    return 'This list is too large for this browser. The command line takes lists of any size.'
  return `Something went wrong: ${error instanceof Error ? error.message : String(error)}`
}
