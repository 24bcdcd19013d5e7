import type { ReportFormat } from '@keepfirst/protocol'
import type { Output } from './output.ts'

const ZERO = 0x30
/** More than any entry needs before its text. */
const HEAD_BYTES = 128

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Reports dropped entries, each with its own position and that of its survivor. The header row has no position. */
export class RemovedReport {
  readonly #format: ReportFormat
  readonly #output: Output
  readonly #position: Uint8Array
  readonly #survivor: Uint8Array
  readonly #entry: Uint8Array
  readonly #end: Uint8Array
  /** Built from bytes: a report may be longer than the input, and building strings would take most of the time. */
  readonly #head = new Uint8Array(HEAD_BYTES)

  constructor(format: ReportFormat, output: Output) {
    this.#format = format
    this.#output = output
    this.#position = utf8(format.position)
    this.#survivor = utf8(format.survivor)
    this.#entry = utf8(format.entry)
    this.#end = utf8(format.end)
  }

  /**
   * Writes the header of a table.
   * @throws UserError when writing fails
   * @throws BrokenPipe when the output has been closed
   */
  header(bytes: Uint8Array): void {
    this.#write(utf8(`position${this.#format.survivor}survivor${this.#format.entry}`), bytes)
  }

  /**
   * Writes a dropped entry.
   * @throws UserError when writing fails
   * @throws BrokenPipe when the output has been closed
   */
  removed(bytes: Uint8Array, position: number, survivor: number): void {
    const head = this.#head
    let end = append(head, 0, this.#position)
    end = appendNumber(head, end, position)
    end = append(head, end, this.#survivor)
    end = appendNumber(head, end, survivor)
    end = append(head, end, this.#entry)
    this.#write(head.subarray(0, end), this.#format.written(bytes))
  }

  #write(head: Uint8Array, entry: Uint8Array): void {
    this.#output.write(head)
    this.#output.write(entry)
    this.#output.write(this.#end)
  }
}

/** Copies bytes into `to` at `at`; returns the position after them. */
function append(to: Uint8Array, at: number, bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; i++) to[at + i] = bytes[i] ?? 0
  return at + bytes.length
}

/** Like `append`, for a whole number in decimal. */
function appendNumber(to: Uint8Array, at: number, number: number): number {
  let end = at + 1
  for (let rest = number; rest >= 10; rest /= 10) end++
  let rest = number
  for (let place = end - 1; place >= at; place--) {
    const tenth = Math.floor(rest / 10)
    to[place] = ZERO + rest - 10 * tenth
    rest = tenth
  }
  return end
}
