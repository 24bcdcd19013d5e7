import { LARGEST_BODY_BYTES, type ReportFormat, reportFormat, spokenOptions, writeRow } from '@keepfirst/protocol'
import { bodyOf } from '../examples/examples.ts'
import { textOf } from './engine.ts'
import type { ApiRequest, NoRequest } from './messages.ts'
import { isFuzzy } from './question.ts'
import type { Run } from './run.ts'

/*
 * The files that a run can be saved as.
 */

const ENTRIES_AT_ONCE = 4_096

/** What is kept: for pasted text the API's result, for a file exactly the bytes that the command line writes. */
export async function keptFile({ judged }: Run): Promise<Blob> {
  const pieces: BlobPart[] = []
  for await (const piece of judged.result()) pieces.push(piece)
  return new Blob(pieces)
}

/** What was removed, in the format of the command line's `--removed`; for fuzzy rows also with the similarity. */
export async function removedFile(run: Run): Promise<Blob> {
  const { judged, task } = run
  const entries = run.removedEntries()
  const format = reportFormat(task.question.mode, task.separator)
  const { survivor, entry, end } = format
  const pieces: BlobPart[] = []
  if (judged.rawHeader) {
    const similarity = isFuzzy(task.question) ? `${entry}similarity` : ''
    pieces.push(`position${survivor}survivor${similarity}${entry}`, judged.rawHeader.slice(), end)
  }
  for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE) {
    const some = entries.slice(from, from + ENTRIES_AT_ONCE)
    const raw = await judged.raw(some)
    pieces.push(new Blob(some.flatMap((entry, at) => removedLine(run, entry, format, raw[at] ?? new Uint8Array()))))
  }
  return new Blob(pieces)
}

function removedLine({ judged, task }: Run, entry: number, format: ReportFormat, bytes: Uint8Array): BlobPart[] {
  const survivor = (judged.survivorOf[entry] ?? entry) + 1
  const similarity = isFuzzy(task.question) ? `${format.entry}${judged.similarity(entry).toFixed(4)}` : ''
  const head = `${format.position}${entry + 1}${format.survivor}${survivor}${similarity}${format.entry}`
  return [head, format.written(bytes).slice(), format.end]
}

/** The API request for the same question, or why there is none. */
export async function requestOf(run: Run): Promise<ApiRequest | NoRequest> {
  const { task, judged } = run
  // A body is at least as long as its list, so a list that is too long need not be serialised to find out.
  if (judged.count > LARGEST_BODY_BYTES || lengthOf(task.content) > LARGEST_BODY_BYTES) return 'too large'
  const data = await requestData(run)
  if (data === undefined) return 'not UTF-8'
  const { size: bytes } = new Blob([bodyAround(run, data)])
  if (bytes > LARGEST_BODY_BYTES) return 'too large'
  // Over HTTP a final line break starts one more line.
  const more = task.form === 'file' && task.question.mode === 'lines' && /[\r\n]$/.test(data) ? 1 : 0
  const isShort = data.length <= SHORT_CHARACTERS
  return { bytes, count: judged.count + more, data: isShort ? data : undefined }
}

/** If a request's data has more characters than this, it goes into a file. */
const SHORT_CHARACTERS = 2_000

function lengthOf(content: string | Blob): number {
  return typeof content === 'string' ? content.length : content.size
}

/** The body of the API request for the same question, as a file. */
export async function requestFile(run: Run): Promise<Blob> {
  return new Blob([bodyAround(run, (await requestData(run)) ?? '')])
}

function bodyAround({ task: { question } }: Run, data: string): string {
  const options = spokenOptions(question.mode, question.options)
  return bodyOf({ mode: question.mode, options }, data)
}

/**
 * The list as the API accepts it: text unchanged, rows with other separators rewritten with commas, JSON values as the
 * text of one array. Undefined if the list is not UTF-8.
 */
async function requestData(run: Run): Promise<string | undefined> {
  const { judged, task } = run
  const text = await textOf(task)
  if (text === undefined) return undefined
  if (judged.jsonLines) return `[${(await allCells(run)).flat().join(',')}]`
  if (task.question.mode === 'json') return text.replace(/^\ufeff/, '').trim()
  if (task.question.mode !== 'rows' || task.separator === ',') return text
  const rows = [...(judged.header.length > 0 ? [judged.header] : []), ...(await allCells(run))]
  return rows.map(writeRow).join('\n')
}

function allCells({ judged }: Run): Promise<string[][]> {
  return judged.show(Array.from({ length: judged.count }, (_, entry) => entry))
}
