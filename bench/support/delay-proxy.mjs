/* `node delay-proxy.mjs PORT TARGET MS`: simulates a network with this round-trip time between client and server. */
import { createConnection, createServer } from 'node:net'

const [port, target, delayMs] = process.argv.slice(2).map(Number)

createServer({ noDelay: true }, (client) => {
  const server = createConnection({ port: target, host: '127.0.0.1', noDelay: true })
  for (const [from, to] of [
    [client, server],
    [server, client],
  ]) {
    from.on('data', (chunk) => setTimeout(() => to.destroyed || to.write(chunk), delayMs / 2))
    from.on('close', () => to.destroy())
    from.on('error', () => {})
  }
}).listen(port, '127.0.0.1')
