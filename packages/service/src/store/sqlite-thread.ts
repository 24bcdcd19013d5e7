import { parentPort, workerData } from 'node:worker_threads'
import { failure, SqliteConnection } from './sqlite-connection.ts'
import { openForReading, openForWriting } from './sqlite-driver.ts'
import type { ThreadAnswer, ThreadData, ThreadRequest } from './sqlite-thread-protocol.ts'

/*
 * The thread in which SQLite runs, so that the event loop never waits for the disk. There is only one writer in this
 * process; other processes (the operator's commands) take turns through the file's lock.
 */

function serve(port: NonNullable<typeof parentPort>, { path, isReadOnly }: ThreadData): void {
  const connection = new SqliteConnection(isReadOnly ? openForReading(path) : openForWriting(path))
  port.postMessage({ kind: 'done' } satisfies ThreadAnswer)
  port.on('message', (request: ThreadRequest) => {
    port.postMessage(connection.answer(request))
    if (request.kind === 'close') port.close()
  })
}

if (parentPort !== null) {
  try {
    serve(parentPort, workerData)
  } catch (error) {
    parentPort.postMessage(failure(error))
  }
}
