import type { Output } from './output.ts'

export type Form = 'lines' | 'rows' | 'json'

const NEWLINE = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
const ZERO = 0x30
/** Longer than any frame with its two numbers. */
const HEAD_BYTES = 128

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** What stands before the parts of a report, and at its end. */
interface Frame {
  readonly position: Uint8Array
  readonly survivor: Uint8Array
  readonly item: Uint8Array
  readonly end: Uint8Array
}

const FRAMES: Readonly<Record<Form, Frame>> = {
  lines: { position: utf8(''), survivor: utf8('\t'), item: utf8('\t'), end: utf8('\n') },
  rows: { position: utf8(''), survivor: utf8(','), item: utf8(','), end: utf8('\n') },
  json: { position: utf8('{"position":'), survivor: utf8(',"survivor":'), item: utf8(',"item":'), end: utf8('}\n') },
}

/**
 * Writes what was dropped, each with its position and its survivor's, in the form of the input:
 * - lines: `position`, tab, `survivor`, tab, the line
 * - rows: a CSV of its own, `position,survivor,` before the row; with the header, when there is one
 * - json: one object a line, `{"position":…,"survivor":…,"item":…}`
 * Positions count from 1, through all FILEs; of rows without the header.
 */
export class RemovedReport {
  readonly #form: Form
  readonly #output: Output
  /** Built byte by byte: a report may be longer than the input, and strings would take most of the time. */
  readonly #head = new Uint8Array(HEAD_BYTES)

  constructor(form: Form, output: Output) {
    this.#form = form
    this.#output = output
  }

  header(bytes: Uint8Array): void {
    this.#write(utf8('position,survivor,'), bytes)
  }

  removed(bytes: Uint8Array, position: number, survivor: number): void {
    const frame = FRAMES[this.#form]
    const head = this.#head
    let end = append(head, 0, frame.position)
    end = appendNumber(head, end, position)
    end = append(head, end, frame.survivor)
    end = appendNumber(head, end, survivor)
    end = append(head, end, frame.item)
    this.#write(head.subarray(0, end), this.#form === 'json' ? onOneLine(bytes) : bytes)
  }

  #write(head: Uint8Array, item: Uint8Array): void {
    this.#output.write(head)
    this.#output.write(item)
    this.#output.write(FRAMES[this.#form].end)
  }
}

/** Writes bytes to `to` at `at` and returns where they end. */
function append(to: Uint8Array, at: number, bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; i++) to[at + i] = bytes[i] ?? 0
  return at + bytes.length
}

/** As `append`, a whole number in decimal. */
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

/** Line breaks in a JSON text stand between its tokens alone, where a space means the same; none is needed before it. */
function onOneLine(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte > SPACE)
  return bytes.subarray(start).map((byte) => (byte === NEWLINE || byte === RETURN ? SPACE : byte))
}
