/*
 * Makes the images in `docs/images` (`npm run screenshots`): every state of the pages of a real server, in a wide
 * window and on a phone, light and dark.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { launchChromium } from './support/browser.ts'
import { REPOSITORY, removeFolder, startServer } from './support/server.ts'
import { claimState, openState, STATES, usersOf } from './support/states.ts'

const IMAGES = join(REPOSITORY, 'docs/images')
const SIZES = { wide: { width: 1_280, height: 860 }, phone: { width: 390, height: 844 } } as const
const SCHEMES = ['light', 'dark'] as const

const server = await startServer({ env: { CONTACT: 'plans@example.com' } })
const browser = await launchChromium()
try {
  // The folder also contains the plots of benchmarks.
  const old = (await readdir(IMAGES)).filter((name) => name.endsWith('.png'))
  await Promise.all(old.map((name) => rm(join(IMAGES, name))))
  const context = { browser, server, users: await usersOf(server) }
  for (const state of [...STATES, await claimState(server)])
    for (const [size, viewport] of Object.entries(SIZES))
      for (const colorScheme of SCHEMES) {
        const { page, close } = await openState(context, state, { viewport, colorScheme, reducedMotion: 'reduce' })
        await page.evaluate(() => document.fonts.ready)
        await page.screenshot({ path: join(IMAGES, `${state.name}-${size}-${colorScheme}.png`) })
        await close()
      }
} finally {
  await browser.close()
  await server.stop()
  await removeFolder(server.folder)
}
