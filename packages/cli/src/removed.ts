import type { Output } from './output.ts'

export type Form = 'lines' | 'rows' | 'json'

const NEWLINE = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
const ZERO = 0x30
/** More than any frame needs for its two numbers. */
const HEAD_BYTES = 128

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The text around the parts of a report. */
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
 * Reports dropped entries, each with its own position and that of its survivor, in the format of the input:
 * - lines: `position`, tab, `survivor`, tab, the line
 * - rows: CSV with `position,survivor,` before each row; with a header if the input has one
 * - json: one object per line, `{"position":…,"survivor":…,"item":…}`
 * Positions count from 1 across all FILEs; the header row does not count.
 */
export class RemovedReport {
  readonly #form: Form
  readonly #output: Output
  /** Built from bytes: a report may be longer than the input, and building strings would take most of the time. */
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

/** Line breaks in JSON text can only be between tokens, where a space means the same. */
function onOneLine(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte > SPACE)
  return bytes.subarray(start).map((byte) => (byte === NEWLINE || byte === RETURN ? SPACE : byte))
}
