const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** What the decoder writes for bytes that are not UTF-8. */
export const REPLACEMENT = '\ufffd'

/** The text split into strings, where it is UTF-8, and single bytes, where it is not. */
export function* wellFormedParts(text: Uint8Array): Generator<string | Uint8Array> {
  const whole = decoder.decode(text)
  if (!whole.includes(REPLACEMENT)) {
    yield whole
    return
  }
  let start = 0
  for (let at = 0; at < text.length; ) {
    const length = characterLength(text, at)
    if (length > 0) {
      at += length
      continue
    }
    if (at > start) yield decoder.decode(text.subarray(start, at))
    yield text.subarray(at, at + 1)
    start = ++at
  }
  if (text.length > start) yield decoder.decode(text.subarray(start))
}

/** The length in bytes of the character at `at`, or 0 if it is ill-formed (Unicode 16, table 3-7). */
export function characterLength(text: Uint8Array, at: number): number {
  const first = text[at] ?? 0
  if (first < 0x80) return 1
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  if (first < 0xc2 || first > 0xf4) return 0
  const second = text[at + 1] ?? 0
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (second < least || second > most) return 0
  for (let next = at + 2; next < at + length; next++) if (((text[next] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}
