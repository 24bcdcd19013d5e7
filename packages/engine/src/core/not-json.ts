/** The input is not JSON from a certain place on. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
  /** From 1; columns in bytes. */
  readonly line: number
  readonly column: number

  constructor(fault: string, { line, column }: { line: number; column: number }) {
    super(`line ${line}, column ${column}: ${fault}`)
    this.line = line
    this.column = column
  }
}

/** A byte in words. */
export function nameOf(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `byte 0x${byte.toString(16).padStart(2, '0')}`
}
