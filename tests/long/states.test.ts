import { beforeAll, describe, expect, test } from 'vitest'
import { startBrowserTests } from '../support/browser.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../support/pages.ts'
import { claimState, openState, STATES, type State, usersOf } from '../support/states.ts'

const { server, browser } = startBrowserTests({ env: { CONTACT: 'plans@example.com' } })

const VIEWPORTS = [
  { viewport: 'light desktop', width: 1_280, colorScheme: 'light' as const },
  { viewport: 'dark phone', width: 390, colorScheme: 'dark' as const },
]

let users: Awaited<ReturnType<typeof usersOf>>
beforeAll(async () => {
  users = await usersOf(server())
})

async function checkState(state: State, { width, colorScheme }: (typeof VIEWPORTS)[number]): Promise<void> {
  const options = { viewport: { width, height: 844 }, colorScheme, reducedMotion: 'reduce' as const }
  const { page, problems, close } = await openState({ browser: browser(), server: server(), users }, state, options)
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  expect(problems).toEqual([])
  await close()
}

describe.each(VIEWPORTS)('$viewport: no accessibility violations, no horizontal scrolling', (viewport) => {
  test.each(STATES)('$name', (state) => checkState(state, viewport))

  test('claim', async () => checkState(await claimState(server()), viewport))
})
