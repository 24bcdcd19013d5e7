/**
 * Returns a value that has to be bytes: a Uint8Array, be it a Buffer or from another realm. Of an ArrayBuffer, or an
 * array of larger numbers, a part would silently be lost.
 * @param refusal the message for anything else
 * @throws TypeError when it is anything else
 */
export function checkedBytes(value: Uint8Array, refusal: string): Uint8Array {
  if (Object.prototype.toString.call(value) !== '[object Uint8Array]') throw new TypeError(refusal)
  return value
}
