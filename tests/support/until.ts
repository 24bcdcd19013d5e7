import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 20
/** Shorter than the time limit of a test, so that the message below is what fails it. */
const LIMIT_MS = 240_000

/**
 * Waits until a condition holds.
 * @param what is awaited, for the message
 * @throws Error when it does not happen within four minutes
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + LIMIT_MS
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`gave up after four minutes of waiting until ${what}`)
    await sleep(PAUSE_MS)
  }
}

/**
 * Waits until a process is ready.
 * @param output what it has printed, for the message
 * @throws Error when it ends instead
 */
export async function untilReady(
  child: ChildProcess,
  isReady: () => boolean | Promise<boolean>,
  output = (): string => '',
): Promise<void> {
  const command = child.spawnargs.join(' ')
  await until(`\`${command}\` was ready`, () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`\`${command}\` ended: ${output()}`)
    return isReady()
  })
}
