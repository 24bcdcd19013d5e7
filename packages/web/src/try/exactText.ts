/**
 * The text of a file, with the byte-order mark that browsers otherwise hide.
 * @throws TypeError when it is not UTF-8
 * @throws DOMException when it can no longer be read
 */
export async function exactText(file: Blob): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer())
}
