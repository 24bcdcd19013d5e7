import { beforeEach, describe, expect, test } from 'vitest'
import { createGate, type Gate } from '../../src/dashboard/gate.ts'

/** Two at once, three that wait. */
let gate: Gate
let inside: Set<string>
let end: Map<string, (how: 'well' | 'badly') => void>

beforeEach(() => {
  gate = createGate(2, 3)
  inside = new Set()
  end = new Map()
})

/** Sends one through the gate; it stays inside until it is ended. */
function send(name: string): Promise<string> {
  return gate.pass(
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

describe('the gate before work that is slow on purpose', () => {
  test('lets two in, three wait, the sixth is turned away without being run', async () => {
    const first = ['a', 'b', 'c', 'd'].map(send)
    expect(gate.isFull).toBe(false)
    first.push(send('e'))
    expect(gate.isFull).toBe(true)
    expect(await send('f')).toBe('busy')
    expect([...inside]).toEqual(['a', 'b'])
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      end.get(name)?.('well')
      await settle()
    }
    expect(await Promise.all(first)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('lets them in as they came, one for each that leaves, whether it failed or not', async () => {
    const [failing] = ['a', 'b', 'c', 'd'].map(send)
    end.get('a')?.('badly')
    await expect(failing).rejects.toThrow('a')
    expect([...inside]).toEqual(['b', 'c'])
    end.get('b')?.('well')
    await settle()
    expect([...inside]).toEqual(['c', 'd'])
  })

  test('has its places back when all have left', async () => {
    for (let round = 0; round < 3; round++) {
      const all = ['a', 'b'].map(send)
      for (const name of ['a', 'b']) end.get(name)?.('well')
      expect(await Promise.all(all)).toEqual(['a', 'b'])
    }
    void send('x')
    void send('y')
    expect([...inside]).toEqual(['x', 'y'])
  })
})
