import { beforeEach, describe, expect, test } from 'vitest'
import { HashingQueue } from '../../src/dashboard/hashing-queue.ts'

/** Two at once, three that wait; a network may have all of these places, or only two. */
let queue: HashingQueue
let inside: Set<string>
let end: Map<string, (how: 'well' | 'badly') => void>

beforeEach(() => {
  queue = new HashingQueue(2, 3)
  inside = new Set()
  end = new Map()
})

/** Sends work of a network into the queue; once begun it lasts until it is ended. */
function send(name: string, network = 'one'): Promise<string> {
  return queue.run(
    network,
    () =>
      new Promise<string>((resolve, reject) => {
        inside.add(name)
        end.set(name, (how) => {
          inside.delete(name)
          if (how === 'well') resolve(name)
          else reject(new Error(name))
        })
      }),
  )
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('work that is slow on purpose', () => {
  test('two start at once, three wait, the sixth is refused without being run', async () => {
    const first = ['a', 'b', 'c', 'd'].map((name) => send(name))
    expect(queue.isFullFor('one')).toBe(false)
    first.push(send('e'))
    expect(queue.isFullFor('one')).toBe(true)
    expect(await send('f')).toBe('busy')
    await settle()
    expect([...inside]).toEqual(['a', 'b'])
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      end.get(name)?.('well')
      await settle()
    }
    expect(await Promise.all(first)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('start in order of arrival, one for each that ends, whether it failed or not', async () => {
    const [failing] = ['a', 'b', 'c', 'd'].map((name) => send(name))
    await settle()
    end.get('a')?.('badly')
    await expect(failing).rejects.toThrow('a')
    await settle()
    expect([...inside]).toEqual(['b', 'c'])
    end.get('b')?.('well')
    await settle()
    expect([...inside]).toEqual(['c', 'd'])
  })

  test('has its places back when all have ended', async () => {
    for (let round = 0; round < 3; round++) {
      const all = ['a', 'b'].map((name) => send(name))
      await settle()
      for (const name of ['a', 'b']) end.get(name)?.('well')
      expect(await Promise.all(all)).toEqual(['a', 'b'])
    }
    void send('x')
    void send('y')
    await settle()
    expect([...inside]).toEqual(['x', 'y'])
  })

  test('another network need not wait for all that one has sent', async () => {
    for (const name of ['a', 'b', 'c', 'd']) void send(name)
    void send('x', 'another')
    for (const name of ['a', 'b']) {
      await settle()
      end.get(name)?.('well')
    }
    await settle()
    expect([...inside]).toEqual(['x', 'c'])
  })

  test('one network does not take all the places to wait in', async () => {
    queue = new HashingQueue(2, 3, 2)
    for (const name of ['a', 'b', 'c', 'd']) void send(name)
    expect(queue.isFullFor('one')).toBe(true)
    expect(await send('e')).toBe('busy')
    expect(queue.isFullFor('another')).toBe(false)
    const other = send('x', 'another')
    for (const name of ['a', 'x']) {
      await settle()
      end.get(name)?.('well')
    }
    expect(await other).toBe('x')
  })
})
