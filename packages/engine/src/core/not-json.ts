/** The input is not valid JSON. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
  /** Both count from 1; the column is in bytes. */
  readonly line: number
  readonly column: number

  constructor(fault: string, { line, column }: { line: number; column: number }) {
    super(`line ${line}, column ${column}: ${fault}`)
    this.line = line
    this.column = column
  }
}

/** A byte as messages show it. */
export function nameOf(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `byte 0x${byte.toString(16).padStart(2, '0')}`
}
