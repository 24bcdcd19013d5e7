import { unreachable } from '@keepfirst/protocol'
import { dedupe, Unreadable } from './engine.ts'
import type { Answer, FileName, FromWorker, RunRequest, Summary, ToWorker, WorkerRequest } from './messages.ts'
import { keptFile, removedFile, requestFile, requestOf } from './reports.ts'
import { Run } from './run.ts'

/*
 * The worker that processes lists. Large data stays here; the page requests the entries that it shows, and files to
 * save.
 */

let current: Run | undefined

addEventListener('message', async ({ data: { id, request } }: MessageEvent<ToWorker>) => {
  const respond = (response: FromWorker['response']): void => postMessage({ id, response } satisfies FromWorker)
  try {
    respond(await answer(request, (share) => respond({ kind: 'progress', share })))
  } catch (error) {
    respond({ kind: 'failed', message: errorMessage(error) })
  }
})

async function answer(request: WorkerRequest, onProgress: (share: number) => void): Promise<Answer> {
  switch (request.kind) {
    case 'run':
      return { kind: 'finished', summary: await runTask(request, onProgress) }
    case 'show': {
      const { list, from, count, whole } = request
      const lines =
        list === 'kept' ? currentRun().keptLines(from, count, whole) : currentRun().removedLines(from, count, whole)
      return { kind: 'lines', lines: await lines }
    }
    case 'arrange':
      return { kind: 'counts', counts: currentRun().arrange(request.order, request.fold) }
    case 'setRestored':
      return { kind: 'counts', counts: currentRun().setRestored(request.entry, request.isRestored) }
    case 'file':
      return { kind: 'file', file: await fileOf(request.file) }
    default:
      return unreachable(request)
  }
}

function currentRun(): Run {
  if (!current) throw new Unreadable('There is no result yet.')
  return current
}

async function runTask({ task, restored }: RunRequest, onProgress: (share: number) => void): Promise<Summary> {
  current = undefined
  const start = performance.now()
  const judged = await dedupe(task, onProgress)
  const durationMs = performance.now() - start
  const run = await Run.of(task, judged, restored)
  current = run
  return { ...run.summary(), request: await requestOf(run), durationMs }
}

function fileOf(file: FileName): Promise<Blob> {
  switch (file) {
    case 'kept':
      return keptFile(currentRun())
    case 'removed':
      return removedFile(currentRun())
    case 'request':
      return requestFile(currentRun())
    default:
      return unreachable(file)
  }
}

/** Browsers read an opened file again whenever it is needed. */
const LOST_FILE = 'This file can’t be read: it was changed, moved or deleted after you opened it, or it is a folder.'

function errorMessage(error: unknown): string {
  if (error instanceof Unreadable) return error.message
  if (error instanceof DOMException) return LOST_FILE
  return `Something went wrong: ${error instanceof Error ? error.message : String(error)}`
}
