import type { Output } from './output.ts'

export type Form = 'lines' | 'rows' | 'json'

const NEWLINE = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
const encoder = new TextEncoder()

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

  constructor(form: Form, output: Output) {
    this.#form = form
    this.#output = output
  }

  header(bytes: Uint8Array): void {
    this.#write('position,survivor,', bytes, '\n')
  }

  removed(bytes: Uint8Array, position: number, survivor: number): void {
    switch (this.#form) {
      case 'lines':
        this.#write(`${position}\t${survivor}\t`, bytes, '\n')
        break
      case 'rows':
        this.#write(`${position},${survivor},`, bytes, '\n')
        break
      case 'json':
        this.#write(`{"position":${position},"survivor":${survivor},"item":`, onOneLine(bytes), '}\n')
        break
      default:
        unreachable(this.#form)
    }
  }

  #write(before: string, bytes: Uint8Array, after: string): void {
    this.#output.write(encoder.encode(before))
    this.#output.write(bytes)
    this.#output.write(encoder.encode(after))
  }
}

/** Line breaks in a JSON text stand between its tokens alone, where a space means the same; none is needed before it. */
function onOneLine(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte > SPACE)
  return bytes.subarray(start).map((byte) => (byte === NEWLINE || byte === RETURN ? SPACE : byte))
}

function unreachable(form: never): never {
  throw new Error(`no such form: ${form}`)
}
