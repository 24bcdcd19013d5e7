import { isatty } from 'node:tty'
import type { SingleBar } from 'cli-progress'
import type { Input } from './input.ts'
import type { Output } from './output.ts'
import { STANDARD_ERROR } from './print.ts'

/** Work that finishes sooner shows no bar. */
const QUIET_MS = 500
const MEGABYTE = 1_000_000

/** A progress bar on standard error for long work at a terminal; otherwise nothing. */
export class Progress {
  readonly #inputs: readonly Input[]
  readonly #startedMs = Date.now()
  readonly #isWanted: boolean
  #bar: SingleBar | undefined

  constructor(inputs: readonly Input[], outputs: readonly Output[]) {
    this.#inputs = inputs
    // Results on the same terminal would be mixed with the bar.
    this.#isWanted = isatty(STANDARD_ERROR) && !outputs.some((output) => output.isTerminal)
  }

  async update(): Promise<void> {
    if (!this.#isWanted) return
    if (this.#bar) this.#bar.update(this.#megabytes())
    else if (Date.now() - this.#startedMs > QUIET_MS) this.#bar = await this.#open()
  }

  end(): void {
    this.#bar?.update(this.#megabytes())
    this.#bar?.stop()
    this.#bar = undefined
  }

  async #open(): Promise<SingleBar> {
    const { default: cliProgress } = await import('cli-progress')
    const isKnown = this.#inputs.every(({ stats }) => stats.isFile())
    const total = isKnown ? this.#inputs.reduce((sum, { stats }) => sum + stats.size, 0) / MEGABYTE : 0
    const known = '{bar} {percentage} % | {value} of {total} MB | {eta_formatted} left'
    const bar = new cliProgress.SingleBar({
      format: total > 0 ? known : '{value} MB | {duration_formatted}',
      stream: process.stderr,
      clearOnComplete: true,
      // The library's own signal listener would stop signals from ending the process, so we avoid terminal settings
      // that would have to be restored.
      gracefulExit: false,
      hideCursor: false,
      linewrap: true,
    })
    bar.start(Math.ceil(total), this.#megabytes())
    return bar
  }

  #megabytes(): number {
    return Math.round(this.#inputs.reduce((sum, input) => sum + input.readBytes, 0) / MEGABYTE)
  }
}
