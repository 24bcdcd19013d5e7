/** Downloads a file through the browser. */
export function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The download holds on to the blob from the next task on; some browsers take longer.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
