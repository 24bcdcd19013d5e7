import type { SingleBar } from 'cli-progress'
import type { Input } from './input.ts'

/** Work that is done sooner shows no bar. */
const QUIET_MS = 500
const MEGABYTE = 1_000_000

/** A bar on standard error while long work goes on at a terminal; nothing anywhere else. */
export class Progress {
  readonly #inputs: readonly Input[]
  readonly #startedMs = Date.now()
  readonly #isShown: boolean
  #bar: SingleBar | undefined

  constructor(inputs: readonly Input[]) {
    this.#inputs = inputs
    // What survives scrolls over the same terminal: a bar would be in its way.
    this.#isShown = process.stderr.isTTY === true && process.stdout.isTTY !== true
  }

  async update(): Promise<void> {
    if (!this.#isShown) return
    if (this.#bar) this.#bar.update(this.#megabytes())
    else if (Date.now() - this.#startedMs > QUIET_MS) this.#bar = await this.#open()
  }

  end(): void {
    this.#bar?.update(this.#megabytes())
    this.#bar?.stop()
  }

  async #open(): Promise<SingleBar> {
    const { default: cliProgress } = await import('cli-progress')
    const total = this.#inputs.every((input) => input.stats.isFile())
      ? this.#inputs.reduce((sum, input) => sum + input.stats.size, 0) / MEGABYTE
      : 0
    const known = '{bar} {percentage} % | {value} of {total} MB | {eta_formatted} left'
    const bar = new cliProgress.SingleBar({
      format: total > 0 ? known : '{value} MB | {duration_formatted}',
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      gracefulExit: true,
    })
    bar.start(Math.ceil(total), this.#megabytes())
    return bar
  }

  #megabytes(): number {
    return Math.round(this.#inputs.reduce((sum, input) => sum + input.readBytes(), 0) / MEGABYTE)
  }
}
