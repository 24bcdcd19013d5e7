import { once } from 'node:events'
import { expect } from 'vitest'
import { RawClient } from './raw-client.ts'
import type { Answer, RunningServer } from './server.ts'

/*
 * Unlimited input from a hostile client.
 */

/** With such a small heap, a server that keeps anything without a limit crashes. */
export const SMALL_HEAP: { readonly [name: string]: string } = { NODE_OPTIONS: '--max-old-space-size=128' }

/** Makes a small call from another network. */
export function callNormally(server: RunningServer): Promise<Answer> {
  return server.call({ from: '127.0.0.2', body: { mode: 'lines', data: 'a\na' } })
}

/** Sends as fast as the server reads, until this many blocks are sent or the server has read nothing for a while. */
export async function flood(server: RunningServer, client: RawClient, block: Buffer, blocks: number): Promise<void> {
  for (let sent = 0; sent < blocks && !client.socket.destroyed; sent += 1) {
    if (client.socket.write(block)) continue
    const drained = once(client.socket, 'drain').catch(() => {})
    const others = (async () => {
      for (let calls = 0; calls < 20; calls += 1) expect((await callNormally(server)).status).toBeLessThan(500)
      return 'stuck'
    })()
    if ((await Promise.race([drained, others])) === 'stuck') return
  }
}

/** Sends a block on each of many connections without reading answers, and checks that others are served meanwhile. */
export async function floodFromMany(server: RunningServer, block: Buffer, connections: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: connections }, () => RawClient.open(server.port)))
  for (const client of clients) {
    client.socket.pause()
    client.send(block)
  }
  for (let calls = 0; calls < 10; calls += 1) expect((await callNormally(server)).status).toBe(200)
  for (const client of clients) client.close()
  expect((await callNormally(server)).status).toBe(200)
  expect(server.process.exitCode).toBeNull()
}

/** Random letters at the lowest threshold: no pair can be ruled out without comparing it. */
export function longFuzzyBody(): string {
  let state = 7
  const letter = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return 'abcdefgh'[state >>> 29] ?? 'a'
  }
  const rows = Array.from({ length: 45_000 }, () => Array.from({ length: 90 }, letter).join(''))
  return JSON.stringify({
    mode: 'rows',
    data: rows.join('\n'),
    options: { fuzzy: true, threshold: 0.5, hasHeader: false },
  })
}
