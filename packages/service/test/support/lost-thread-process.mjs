// Opens a store, makes the SQLite thread fail and would keep running: `node lost-thread-process.mjs DATABASE_URL`. (If the
// thread was terminated in the middle of a query, the driver could abort the process.)
import { randomBytes } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { openDatabase } from '../../dist/store/open.js'

const { postMessage } = Worker.prototype
const { store } = await openDatabase(process.argv[2] ?? '', randomBytes)
Worker.prototype.postMessage = function (...message) {
  postMessage.apply(this, message)
  postMessage.call(this, null) // not a request: the thread throws an error that nobody catches
}
await store.accountById('').catch(() => {})
setInterval(() => {}, 1_000)
