import { LARGEST_BODY_BYTES, unreachable } from '@keepfirst/protocol'
import { judge, Unreadable } from './engine.ts'
import type { Answer, Ask, FileName, FromWorker, Stage, Summary, Task, ToWorker } from './messages.ts'
import { adviceFor } from './recognise.ts'
import { removedReport, requestBody, requestData } from './reports.ts'
import { Run } from './run.ts'

/*
 * Where lists are worked on: in a thread of the page. What is long stays here; the page asks for the
 * entries that it shows and for files to save.
 */

/** Text of a blob that was read, so that another question about it does not read it again. */
let read: { readonly content: Task['content']; readonly text: string } | undefined
let current: { readonly run: Run; readonly text: string } | undefined

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
      return { kind: 'judged', summary: await runTask(ask.task, onStage) }
    case 'show': {
      const { run } = theRun()
      const show = ask.list === 'kept' ? run.keptLines : run.removedLines
      return { kind: 'lines', lines: await show.call(run, ask.from, ask.count, ask.whole) }
    }
    case 'arrange':
      return { kind: 'counts', counts: theRun().run.arrange(ask.order, ask.fold) }
    case 'takeBack':
      return { kind: 'counts', counts: theRun().run.takeBack(ask.entry, ask.back) }
    case 'file':
      return { kind: 'file', file: await fileOf(ask.file) }
    default:
      return unreachable(ask)
  }
}

function theRun(): { readonly run: Run; readonly text: string } {
  if (!current) throw new Unreadable('There is no result yet.')
  return current
}

async function runTask(task: Task, onStage: (stage: Stage) => void): Promise<Summary> {
  current = undefined
  onStage('reading')
  const text = await textOf(task.content)
  const start = performance.now()
  const judged = await judge(text, task, () => onStage('comparing'))
  const durationMs = performance.now() - start
  const run = await Run.of(task, judged)
  current = { run, text }
  return { ...run.summary(), request: await requestOf(run, text), durationMs }
}

async function textOf(content: Task['content']): Promise<string> {
  if (typeof content === 'string') return content
  if (read?.content !== content) read = { content, text: decoded(await content.arrayBuffer()) }
  return read.text
}

/** Bytes that are no UTF-8 are refused: replaced ones would make different entries equal. */
function decoded(bytes: ArrayBuffer): string {
  const advice = adviceFor(new Uint8Array(bytes, 0, Math.min(bytes.byteLength, 8)))
  if (advice) throw new Unreadable(advice)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw new Unreadable('This file is not text in UTF-8. Save it as UTF-8 and try again.')
  }
}

function fileOf(file: FileName): Promise<Blob> {
  const { run, text } = theRun()
  switch (file) {
    case 'kept':
      return run.judged.result()
    case 'removed':
      return removedReport(run)
    case 'request':
      return requestFile(run, text)
    default:
      return unreachable(file)
  }
}

async function requestFile(run: Run, text: string): Promise<Blob> {
  return new Blob([requestBody(run, await requestData(run, text))])
}

/** A request's data of more characters than this goes into a file. */
const SHORT_CHARACTERS = 2_000

/** A body is at least as long as its text, so that a list that is too long is never written down to know it. */
async function requestOf(run: Run, text: string): Promise<Summary['request']> {
  if (text.length > LARGEST_BODY_BYTES) return null
  const data = await requestData(run, text)
  const { size: bytes } = new Blob([requestBody(run, data)])
  if (bytes > LARGEST_BODY_BYTES) return null
  // Over HTTP a final line break begins one more line.
  const more = run.task.form === 'file' && run.task.question.mode === 'lines' && /[\r\n]$/.test(text) ? 1 : 0
  return { bytes, count: run.judged.count + more, data: data.length > SHORT_CHARACTERS ? undefined : data }
}

function inWords(error: unknown): string {
  if (error instanceof Unreadable) return error.message
  if (error instanceof RangeError)
    return 'This list is too large for this browser. The command line takes lists of any size.'
  return `Something went wrong: ${error instanceof Error ? error.message : String(error)}`
}
