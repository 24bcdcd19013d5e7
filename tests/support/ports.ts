import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'

/*
 * A server may start listening seconds after its port was chosen. So ports are outside the range that the system
 * assigns to connections (on Linux from 32,768 on), and each worker of a run chooses from its own range.
 */
const FIRST = 10_000
const PER_WORKER = 1_000
const WORKERS = 20

const chosen = new Set<number>()

/** A port that is free and is not given to any other test of the run. */
export async function freePort(): Promise<number> {
  const worker = Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS
  for (;;) {
    const port = FIRST + worker * PER_WORKER + randomInt(PER_WORKER)
    if (chosen.has(port)) continue
    chosen.add(port)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

/** Whether a server listens on a port. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
