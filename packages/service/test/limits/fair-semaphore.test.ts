import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ClientDisconnected } from '../../src/client-connection.ts'
import { FairSemaphore, type Release } from '../../src/limits/fair-semaphore.ts'

function clientOf(signal: AbortSignal) {
  return { aborted: signal.aborted, signal }
}

/** Records who was served, in order; `end` ends the oldest turn. */
function watch(semaphore: FairSemaphore): {
  enter: (name: string, signal?: AbortSignal) => Promise<void>
  served: string[]
  end: () => Promise<void>
} {
  const served: string[] = []
  const working: Release[] = []
  return {
    served,
    async enter(name, signal = new AbortController().signal) {
      void semaphore.acquire(name.slice(0, 1), clientOf(signal)).then(
        (release) => {
          served.push(name)
          working.push(release)
        },
        (error) => served.push(`${name} ${error.name}`),
      )
      await settled()
    },
    async end() {
      working.shift()?.()
      await settled()
    },
  }
}

/** Resolves when all pending promise reactions have run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}

describe('places are given out in turns', () => {
  test.each([
    { name: 'first come, first served within a tenant', enter: ['a1', 'a2', 'a3'], served: ['a1', 'a2', 'a3'] },
    {
      name: 'another tenant is served before the one that was just served',
      enter: ['a1', 'a2', 'a3', 'b1'],
      served: ['a1', 'b1', 'a2', 'a3'],
    },
    {
      name: 'tenants take turns',
      enter: ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'],
      served: ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'],
    },
  ])('$name', async ({ enter, served }) => {
    const queue = watch(new FairSemaphore(1))
    for (const name of enter) await queue.enter(name)
    for (const _ of enter) await queue.end()
    expect(queue.served).toEqual(served)
  })

  test('without tenants it is a mutex: one at a time, in order of arrival', async () => {
    const mutex = new FairSemaphore(1)
    const passed: number[] = []
    const pass = async (one: number): Promise<void> => {
      const release = await mutex.acquire()
      passed.push(one)
      await settled()
      passed.push(one)
      release()
    }
    await Promise.all([1, 2, 3].map(pass))
    expect(passed).toEqual([1, 1, 2, 2, 3, 3])
  })

  test('any number may wait', async () => {
    const queue = watch(new FairSemaphore(1))
    for (let index = 0; index < 1_000; index += 1) await queue.enter(`a${index}`)
    for (let index = 0; index < 1_000; index += 1) await queue.end()
    expect(queue.served).toEqual(Array.from({ length: 1_000 }, (_, index) => `a${index}`))
  })

  test('a client that disconnects leaves the queue', async () => {
    const queue = watch(new FairSemaphore(1))
    const client = new AbortController()
    await queue.enter('a1')
    await queue.enter('a2', client.signal)
    await queue.enter('a3')
    client.abort()
    await queue.end()
    expect(queue.served).toEqual(['a1', 'a2 ClientDisconnected', 'a3'])
  })

  test('a client that has disconnected before gets no place', async () => {
    const semaphore = new FairSemaphore(1)
    await expect(semaphore.acquire('a', clientOf(AbortSignal.abort()))).rejects.toThrow(ClientDisconnected)
  })

  test('a place can be released only once', async () => {
    const semaphore = new FairSemaphore(1)
    const first = await semaphore.acquire('a')
    const queue = watch(semaphore)
    await queue.enter('b1')
    await queue.enter('b2')
    first()
    first()
    await settled()
    expect(queue.served).toEqual(['b1'])
  })

  test('once closed, waiting and new clients are refused', async () => {
    const semaphore = new FairSemaphore(1)
    const queue = watch(semaphore)
    for (const name of ['a1', 'a2', 'b1']) await queue.enter(name)
    semaphore.close()
    await settled()
    await queue.enter('c1')
    expect(queue.served).toEqual(['a1', 'a2 SemaphoreClosed', 'b1 SemaphoreClosed', 'c1 SemaphoreClosed'])
  })
})

test('in any sequence, no place is lost, nobody waits forever, and each tenant is served in order', async () => {
  const move = fc.oneof(
    fc.record({ kind: fc.constant('enter' as const), tenant: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ kind: fc.constant('leave' as const), tenant: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ kind: fc.constant('end' as const), tenant: fc.constant('') }),
  )
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(move, { maxLength: 60 }), async (places, moves) => {
      const queue = watch(new FairSemaphore(places))
      const clients: { name: string; controller: AbortController }[] = []
      for (const { kind, tenant } of moves) {
        if (kind === 'end') await queue.end()
        else if (kind === 'leave') clients.find(({ name }) => name.startsWith(tenant))?.controller.abort()
        else {
          const client = {
            name: `${tenant}${String(clients.length).padStart(2, '0')}`,
            controller: new AbortController(),
          }
          clients.push(client)
          await queue.enter(client.name, client.controller.signal)
        }
      }
      for (const _ of clients) await queue.end()
      await settled()
      expect(queue.served.map((name) => name.slice(0, 3)).sort()).toEqual(clients.map(({ name }) => name).sort())
      for (const tenant of ['a', 'b', 'c']) {
        const inOrder = queue.served.filter((name) => name.startsWith(tenant) && name.length === 3)
        expect(inOrder).toEqual([...inOrder].sort())
      }
    }),
    { numRuns: 300 },
  )
})
