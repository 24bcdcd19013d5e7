import { isatty } from 'node:tty'
import { printAside, STANDARD_ERROR, STANDARD_OUTPUT } from '../print.ts'
import type { Input } from './input.ts'

/** Work that is done sooner shows no bar. */
const QUIET_MS = 500
const EVERY_MS = 100
const BAR_CELLS = 30
const MEGABYTE = 1_000_000
const CLEARED_LINE = '\r\x1b[K'

/**
 * A bar on standard error while long work goes on at a terminal; nothing anywhere else. It changes nothing about the
 * terminal that a signal would have to undo.
 */
export class Progress {
  readonly #inputs: readonly Input[]
  readonly #totalBytes: number
  readonly #startedMs = Date.now()
  readonly #isWanted: boolean
  #shownMs = 0

  constructor(inputs: readonly Input[]) {
    this.#inputs = inputs
    const isKnown = inputs.every(({ stats }) => stats.isFile())
    this.#totalBytes = isKnown ? inputs.reduce((sum, { stats }) => sum + stats.size, 0) : 0
    // What survives scrolls over the same terminal: a bar would be in its way.
    this.#isWanted = isatty(STANDARD_ERROR) && !isatty(STANDARD_OUTPUT)
  }

  update(): void {
    const nowMs = Date.now()
    if (!this.#isWanted || nowMs < Math.max(this.#startedMs + QUIET_MS, this.#shownMs + EVERY_MS)) return
    this.#shownMs = nowMs
    printAside(CLEARED_LINE + this.#line(nowMs - this.#startedMs))
  }

  end(): void {
    if (this.#shownMs > 0) printAside(CLEARED_LINE)
    this.#shownMs = 0
  }

  #line(elapsedMs: number): string {
    const readBytes = this.#inputs.reduce((sum, input) => sum + input.readBytes, 0)
    if (this.#totalBytes === 0) return `${megabytes(readBytes)} MB | ${seconds(elapsedMs)} s`
    const share = Math.min(readBytes / this.#totalBytes, 1) // a file may grow meanwhile
    const bar = '='.repeat(Math.round(share * BAR_CELLS)).padEnd(BAR_CELLS, '-')
    const left = share > 0 ? ` | ${seconds(elapsedMs / share - elapsedMs)} s left` : ''
    return `${bar} ${Math.floor(share * 100)} % | ${megabytes(readBytes)} of ${megabytes(this.#totalBytes)} MB${left}`
  }
}

function megabytes(bytes: number): string {
  return Math.round(bytes / MEGABYTE).toLocaleString('en-US')
}

function seconds(durationMs: number): string {
  return Math.ceil(durationMs / 1_000).toLocaleString('en-US')
}
