import type { FileName } from './messages.ts'
import type { WorkerClient } from './workerClient.ts'

/** Downloads a file of the current run; if that fails, the result says why. */
export async function saveFrom(client: WorkerClient, file: FileName, name: string): Promise<void> {
  await client.file(file).then(
    (blob) => save(blob, name),
    () => undefined,
  )
}

/** Downloads a file through the browser. */
function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The download holds on to the blob from the next task on; some browsers take longer.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
