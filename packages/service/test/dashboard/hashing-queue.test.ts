import { beforeEach, describe, expect, test } from 'vitest'
import { HashingQueue } from '../../src/dashboard/hashing-queue.ts'

/** Two run at once and three wait; one network may take all of these places, unless a test sets another limit. */
let queue: HashingQueue
let running: Set<string>
let end: Map<string, (outcome: 'success' | 'failure') => void>

beforeEach(() => {
  queue = new HashingQueue(2, 3)
  running = new Set()
  end = new Map()
})

/** Puts work of a network into the queue; once started, it runs until the test ends it. */
function send(name: string, network = 'one'): Promise<string> {
  return queue.run(
    network,
    () =>
      new Promise<string>((resolve, reject) => {
        running.add(name)
        end.set(name, (outcome) => {
          running.delete(name)
          if (outcome === 'success') resolve(name)
          else reject(new Error(name))
        })
      }),
  )
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('hashing of passwords', () => {
  test('two run at once, three wait, the sixth is refused', async () => {
    const first = ['a', 'b', 'c', 'd'].map((name) => send(name))
    expect(queue.isFullFor('one')).toBe(false)
    first.push(send('e'))
    expect(queue.isFullFor('one')).toBe(true)
    expect(await send('f')).toBe('busy')
    await settle()
    expect([...running]).toEqual(['a', 'b'])
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      end.get(name)?.('success')
      await settle()
    }
    expect(await Promise.all(first)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('waiting work starts in order of arrival, one for each that ends, successfully or not', async () => {
    const [failing] = ['a', 'b', 'c', 'd'].map((name) => send(name))
    await settle()
    end.get('a')?.('failure')
    await expect(failing).rejects.toThrow('a')
    await settle()
    expect([...running]).toEqual(['b', 'c'])
    end.get('b')?.('success')
    await settle()
    expect([...running]).toEqual(['c', 'd'])
  })

  test('all places are free again when all work has ended', async () => {
    for (let round = 0; round < 3; round++) {
      const all = ['a', 'b'].map((name) => send(name))
      await settle()
      for (const name of ['a', 'b']) end.get(name)?.('success')
      expect(await Promise.all(all)).toEqual(['a', 'b'])
    }
    void send('x')
    void send('y')
    await settle()
    expect([...running]).toEqual(['x', 'y'])
  })

  test('networks take turns, so that one does not wait for all work of another', async () => {
    for (const name of ['a', 'b', 'c', 'd']) void send(name)
    void send('x', 'another')
    for (const name of ['a', 'b']) {
      await settle()
      end.get(name)?.('success')
    }
    await settle()
    expect([...running]).toEqual(['x', 'c'])
  })

  test('one network cannot take all waiting places', async () => {
    queue = new HashingQueue(2, 3, 2)
    for (const name of ['a', 'b', 'c', 'd']) void send(name)
    expect(queue.isFullFor('one')).toBe(true)
    expect(await send('e')).toBe('busy')
    expect(queue.isFullFor('another')).toBe(false)
    const other = send('x', 'another')
    for (const name of ['a', 'x']) {
      await settle()
      end.get(name)?.('success')
    }
    expect(await other).toBe('x')
  })
})
