import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Exports } from '../../src/dashboard/exports.ts'

const PIECE = 'x'.repeat(65_536)
/** Far more than all buffers between the server and a reader hold together. */
const PIECES = 4_000

let server: FastifyInstance
let port: number
/** Pieces that were read of each file, and how many files ended, one way or the other. */
let read: number
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

/** Asks for a file and takes in nothing but its head. */
async function askAndStall(account: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /${account} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await once(socket, 'readable')
  await settled()
  return socket
}

/** Resolves when nothing more is read. */
async function settled(): Promise<void> {
  for (let before = -1; before !== read; ) {
    before = read
    for (let turn = 0; turn < 200; turn++) await new Promise((later) => setImmediate(later))
  }
}

describe('a file that is made while it is sent', () => {
  test('is not read ahead of a reader that takes nothing in', async () => {
    const socket = await askAndStall('a')
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(PIECES / 10)
    socket.destroy()
  })

  test('is not read any further when its reader disconnects, and the next one may start', async () => {
    const socket = await askAndStall('a')
    socket.destroy()
    await ending
    expect(read).toBeLessThan(PIECES / 10)
    read = PIECES - 10
    const next = await fetch(`http://127.0.0.1:${port}/a`)
    expect((await next.text()).length).toBe(10 * PIECE.length)
  })

  test('is one at a time of each account, and does not keep another account waiting', async () => {
    const socket = await askAndStall('a')
    const second = await fetch(`http://127.0.0.1:${port}/a`)
    expect(second.status).toBe(409)
    expect(await second.json()).toEqual({ error: 'export under way' })
    read = PIECES - 10
    expect((await fetch(`http://127.0.0.1:${port}/b`)).status).toBe(200)
    socket.destroy()
  })
})
