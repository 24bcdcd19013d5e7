import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Release, Turns } from '../src/compute/turns.ts'
import { HungUp } from '../src/requests/call.ts'

const stays = new AbortController().signal

/** Who has had a turn, in order, and how to end one's turn. */
function watch(turns: Turns): {
  enter: (name: string, hungUp?: AbortSignal) => Promise<void>
  served: string[]
  end: () => Promise<void>
} {
  const served: string[] = []
  const working: Release[] = []
  return {
    served,
    async enter(name, hungUp = stays) {
      const caller = name.slice(0, 1)
      void turns.take({ caller, hungUp }).then(
        (turn) => {
          served.push(turn === 'busy' ? `${name} busy` : name)
          if (turn !== 'busy') working.push(turn)
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

/** Everything that is decided by now has been told. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}

describe('places are taken in turns', () => {
  test.each([
    { name: 'first come, first served within a lane', enter: ['a1', 'a2', 'a3'], served: ['a1', 'a2', 'a3'] },
    {
      name: 'another lane comes before one that was just served',
      enter: ['a1', 'a2', 'a3', 'b1'],
      served: ['a1', 'b1', 'a2', 'a3'],
    },
    {
      name: 'lanes take turns',
      enter: ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'],
      served: ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'],
    },
  ])('$name', async ({ enter, served }) => {
    const line = watch(new Turns({ places: 1, waiting: 10, waitingPerLane: 10 }))
    for (const name of enter) await line.enter(name)
    for (const _ of enter) await line.end()
    expect(line.served).toEqual(served)
  })

  test('beyond the bound of all, nobody waits', async () => {
    const line = watch(new Turns({ places: 1, waiting: 2, waitingPerLane: 2 }))
    for (const name of ['a1', 'a2', 'b1', 'c1']) await line.enter(name)
    expect(line.served).toEqual(['a1', 'c1 busy'])
  })

  test('beyond the bound of a lane, others still wait', async () => {
    const line = watch(new Turns({ places: 1, waiting: 9, waitingPerLane: 1 }))
    for (const name of ['a1', 'a2', 'a3', 'b1']) await line.enter(name)
    await line.end()
    expect(line.served).toEqual(['a1', 'a3 busy', 'b1'])
  })

  test('who hangs up leaves the line', async () => {
    const line = watch(new Turns({ places: 1, waiting: 9, waitingPerLane: 9 }))
    const client = new AbortController()
    await line.enter('a1')
    await line.enter('a2', client.signal)
    await line.enter('a3')
    client.abort()
    await line.end()
    expect(line.served).toEqual(['a1', 'a2 HungUp', 'a3'])
  })

  test('who hung up before gets no place', async () => {
    await expect(
      new Turns({ places: 1, waiting: 1, waitingPerLane: 1 }).take({ caller: 'a', hungUp: AbortSignal.abort() }),
    ).rejects.toThrow(HungUp)
  })

  test('a place is given back once', async () => {
    const turns = new Turns({ places: 1, waiting: 9, waitingPerLane: 9 })
    const first = await turns.take({ caller: 'a', hungUp: stays })
    const line = watch(turns)
    await line.enter('b1')
    await line.enter('b2')
    if (first !== 'busy') {
      first()
      first()
    }
    await settled()
    expect(line.served).toEqual(['b1'])
  })

  test('once closed, those who wait and those who come hear busy', async () => {
    const turns = new Turns({ places: 1, waiting: 9, waitingPerLane: 9 })
    const line = watch(turns)
    await line.enter('a1')
    await line.enter('a2')
    turns.close()
    await line.enter('a3')
    await line.end()
    await line.enter('a4')
    expect(line.served).toEqual(['a1', 'a2 busy', 'a3 busy', 'a4 busy'])
  })

  test('whatever happens, no more work at once than there are places, and everyone gets an answer', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('enter' as const), lane: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ kind: fc.constant('end' as const) }),
      fc.record({ kind: fc.constant('hang up' as const), who: fc.nat(20) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), async (steps, places) => {
        const turns = new Turns({ places, waiting: 5, waitingPerLane: 3 })
        const clients: AbortController[] = []
        const working: Release[] = []
        let answers = 0
        for (const step of steps) {
          if (step.kind === 'enter') {
            const client = new AbortController()
            clients.push(client)
            void turns.take({ caller: step.lane, hungUp: client.signal }).then(
              (turn) => {
                answers += 1
                if (turn !== 'busy') working.push(turn)
              },
              () => {
                answers += 1
              },
            )
          } else if (step.kind === 'end') working.shift()?.()
          else clients[step.who]?.abort()
          await settled()
          expect(working.length).toBeLessThanOrEqual(places)
        }
        while (working.length > 0) {
          working.shift()?.()
          await settled()
        }
        expect(answers).toBe(clients.length)
      }),
    )
  })
})
