/*
 * The baseline: a bare node:http server that echoes the body. With a file name as its second argument, it writes a line
 * per request to that file and syncs it to disk before the answer is sent (group commit). `node floor.mjs PORT [FILE]`
 */
import { fdatasync, openSync, write } from 'node:fs'
import { createServer } from 'node:http'

const [port, file] = process.argv.slice(2)
const fd = file === undefined ? undefined : openSync(file, 'a')

let waiting = []
let isCommitting = false

/** Requests that arrive during a commit are committed together in the next one. */
function commit() {
  if (isCommitting || waiting.length === 0) return
  isCommitting = true
  const batch = waiting
  waiting = []
  write(fd, 'x'.repeat(99).concat('\n').repeat(batch.length), () =>
    fdatasync(fd, () => {
      isCommitting = false
      for (const answer of batch) answer()
      commit()
    }),
  )
}

createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    const answer = () => response.writeHead(200, { 'Content-Length': body.length }).end(body)
    if (fd === undefined) return answer()
    waiting.push(answer)
    if (waiting.length === 1 && !isCommitting) setImmediate(commit)
  })
}).listen(Number(port), '127.0.0.1')
