/** A cell of a CSV as it is written: quoted only where reading it back needs quotes. */
export function writeCell(value: string): string {
  return /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
