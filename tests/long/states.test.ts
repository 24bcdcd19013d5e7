import { beforeAll, describe, expect, test } from 'vitest'
import { serveAndLook } from '../support/browser.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../support/pages.ts'
import { claimState, lookAt, readersOf, STATES, type State } from '../support/states.ts'

const { server, browser } = serveAndLook({ env: { CONTACT: 'plans@example.com' } })

const EYES = [
  { eyes: 'wide and light', width: 1_280, colorScheme: 'light' as const },
  { eyes: 'a dark phone', width: 390, colorScheme: 'dark' as const },
]

let readers: Awaited<ReturnType<typeof readersOf>>
beforeAll(async () => {
  readers = await readersOf(server())
})

async function expectGood(state: State, { width, colorScheme }: (typeof EYES)[number]): Promise<void> {
  const options = { viewport: { width, height: 844 }, colorScheme, reducedMotion: 'reduce' as const }
  const { page, troubles, close } = await lookAt({ browser: browser(), server: server(), readers }, state, options)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  expect(troubles).toEqual([])
  await close()
}

describe.each(EYES)('every state, $eyes: axe finds nothing, nothing is cut off sideways', (eyes) => {
  test.each(STATES)('$name', (state) => expectGood(state, eyes))

  test('claim', async () => expectGood(await claimState(server()), eyes))
})
