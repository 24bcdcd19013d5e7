import { beforeAll, describe, expect, test } from 'vitest'
import { startBrowserTests } from '../support/browser.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../support/pages.ts'
import { claimState, openState, STATES, type State, usersOf } from '../support/states.ts'

const { server, browser } = startBrowserTests({ env: { CONTACT: 'plans@example.com' } })

const EYES = [
  { eyes: 'wide and light', width: 1_280, colorScheme: 'light' as const },
  { eyes: 'a dark phone', width: 390, colorScheme: 'dark' as const },
]

let users: Awaited<ReturnType<typeof usersOf>>
beforeAll(async () => {
  users = await usersOf(server())
})

async function expectGood(state: State, { width, colorScheme }: (typeof EYES)[number]): Promise<void> {
  const options = { viewport: { width, height: 844 }, colorScheme, reducedMotion: 'reduce' as const }
  const { page, problems, close } = await openState({ browser: browser(), server: server(), users }, state, options)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  expect(problems).toEqual([])
  await close()
}

describe.each(EYES)('every state, $eyes: axe finds nothing, nothing is cut off sideways', (eyes) => {
  test.each(STATES)('$name', (state) => expectGood(state, eyes))

  test('claim', async () => expectGood(await claimState(server()), eyes))
})
