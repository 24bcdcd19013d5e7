/** Hands a file to the browser's own download. */
export function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The download has its hold on the blob by the next turn; some browsers take longer to notice.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
