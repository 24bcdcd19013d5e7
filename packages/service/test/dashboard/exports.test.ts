import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Exports } from '../../src/dashboard/exports.ts'

const PIECE = 'x'.repeat(65_536)
/** Far more than fits into all buffers between the server and a reader. */
const PIECES = 4_000

let server: FastifyInstance
let port: number
/** How many pieces of a file have been produced. */
let read: number
/** Called when a file ends, completely or not. */
let ended: () => void
let ending: Promise<void>

beforeEach(async () => {
  read = 0
  ending = new Promise((resolve) => {
    ended = resolve
  })
  const exports = new Exports()
  server = Fastify()
  server.get<{ Params: { account: string } }>('/:account', async (request, reply) =>
    exports.send(reply, request.params.account, { name: 'f', type: 'text/plain', pieces: pieces() }),
  )
  port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterEach(() => server.close())

async function* pieces(): AsyncGenerator<string> {
  try {
    for (; read < PIECES; read++) yield PIECE
  } finally {
    ended()
  }
}

/** Requests a file and reads only the head of the answer. */
async function requestAndStall(account: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /${account} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await once(socket, 'readable')
  await settled()
  return socket
}

/** Resolves when no more pieces are produced. */
async function settled(): Promise<void> {
  for (let before = -1; before !== read; ) {
    before = read
    for (let turn = 0; turn < 200; turn++) await new Promise((later) => setImmediate(later))
  }
}

describe('a file that is produced while it is sent', () => {
  test('is not produced ahead of a reader that does not read', async () => {
    const socket = await requestAndStall('a')
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(PIECES / 10)
    socket.destroy()
  })

  test('is not produced any further once its reader disconnects, and the next one may start', async () => {
    const socket = await requestAndStall('a')
    socket.destroy()
    await ending
    expect(read).toBeLessThan(PIECES / 10)
    read = PIECES - 10
    const next = await fetch(`http://127.0.0.1:${port}/a`)
    expect((await next.text()).length).toBe(10 * PIECE.length)
  })

  test('is limited to one at a time per account, and does not delay other accounts', async () => {
    const socket = await requestAndStall('a')
    const second = await fetch(`http://127.0.0.1:${port}/a`)
    expect(second.status).toBe(409)
    expect(await second.json()).toEqual({ error: 'export under way' })
    read = PIECES - 10
    expect((await fetch(`http://127.0.0.1:${port}/b`)).status).toBe(200)
    socket.destroy()
  })
})
