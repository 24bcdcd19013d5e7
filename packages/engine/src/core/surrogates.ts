/**
 * JSON text with its lone surrogates, which UTF-8 cannot represent, as escapes. One after a backslash is left as it is:
 * together they are not JSON.
 */
export function escapeLoneSurrogates(json: string): string {
  return json.replace(/\\.|\p{Surrogate}/gsu, (unit) =>
    unit.startsWith('\\') ? unit : `\\u${unit.charCodeAt(0).toString(16)}`,
  )
}
