// Opens a store, terminates the SQLite thread and would keep running: `node lost-thread-process.mjs DATABASE_URL`.
import { randomBytes } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { openDatabase } from '../../dist/store/open.js'

const { postMessage } = Worker.prototype
const { store } = await openDatabase(process.argv[2] ?? '', randomBytes)
Worker.prototype.postMessage = function (...message) {
  postMessage.apply(this, message)
  void this.terminate()
}
await store.accountById('').catch(() => {})
setInterval(() => {}, 1_000)
