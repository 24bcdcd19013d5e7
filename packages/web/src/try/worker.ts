import { unreachable } from '@keepfirst/protocol'
import { judge, Unreadable } from './engine.ts'
import type { Answer, Ask, FileName, FromWorker, JudgeAsk, Summary, ToWorker } from './messages.ts'
import { keptFile, removedFile, requestFile, requestOf } from './reports.ts'
import { Run } from './run.ts'

/*
 * The worker that processes lists. Large data stays here; the page requests the entries that it shows, and files to
 * save.
 */

let current: Run | undefined

addEventListener('message', async ({ data: { id, ask } }: MessageEvent<ToWorker>) => {
  const say = (says: FromWorker['says']): void => postMessage({ id, says } satisfies FromWorker)
  try {
    say(await answer(ask, (share) => say({ kind: 'progress', share })))
  } catch (error) {
    say({ kind: 'failed', message: inWords(error) })
  }
})

async function answer(ask: Ask, onProgress: (share: number) => void): Promise<Answer> {
  switch (ask.kind) {
    case 'judge':
      return { kind: 'judged', summary: await runTask(ask, onProgress) }
    case 'show': {
      const { list, from, count, whole } = ask
      const lines = list === 'kept' ? theRun().keptLines(from, count, whole) : theRun().removedLines(from, count, whole)
      return { kind: 'lines', lines: await lines }
    }
    case 'arrange':
      return { kind: 'counts', counts: theRun().arrange(ask.order, ask.fold) }
    case 'setRestored':
      return { kind: 'counts', counts: theRun().setRestored(ask.entry, ask.isRestored) }
    case 'file':
      return { kind: 'file', file: await fileOf(ask.file) }
    default:
      return unreachable(ask)
  }
}

function theRun(): Run {
  if (!current) throw new Unreadable('There is no result yet.')
  return current
}

async function runTask({ task, restored }: JudgeAsk, onProgress: (share: number) => void): Promise<Summary> {
  current = undefined
  const start = performance.now()
  const judged = await judge(task, onProgress)
  const durationMs = performance.now() - start
  const run = await Run.of(task, judged, restored)
  current = run
  return { ...run.summary(), request: await requestOf(run), durationMs }
}

function fileOf(file: FileName): Promise<Blob> {
  switch (file) {
    case 'kept':
      return keptFile(theRun())
    case 'removed':
      return removedFile(theRun())
    case 'request':
      return requestFile(theRun())
    default:
      return unreachable(file)
  }
}

function inWords(error: unknown): string {
  if (error instanceof Unreadable) return error.message
  return `Something went wrong: ${error instanceof Error ? error.message : String(error)}`
}
