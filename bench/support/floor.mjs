/*
 * What the product is held against: a bare node:http server that answers with the body it was sent. With a file's name as
 * its second argument, each request has a line in that file, on disk, before it is answered (group commit).
 * `node floor.mjs PORT [FILE]`
 */
import { fdatasync, openSync, write } from 'node:fs'
import { createServer } from 'node:http'

const [port, file] = process.argv.slice(2)
const fd = file === undefined ? undefined : openSync(file, 'a')

let waiting = []
let isCommitting = false

/** What comes while one commit is under way goes into the next one together. */
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
