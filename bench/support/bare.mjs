/* The minimum that any JSON service does: reads a body, parses it, writes it. */
import { createServer } from 'node:http'

createServer((call, answer) => {
  const chunks = []
  call.on('data', (chunk) => chunks.push(chunk))
  call.on('end', () => {
    const body = Buffer.from(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString('utf8'))))
    answer.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
    answer.end(body)
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
