/*
 * Literals in other languages that evaluate to exactly the given text.
 */

/** A string literal in JavaScript or TypeScript. */
export function scriptString(text: string): string {
  return `'${escaped(text).replaceAll("'", "\\'")}'`
}

/** A string literal in Python, in whichever quotes need fewer escapes. */
export function pythonString(text: string): string {
  const quote = text.includes('"') && !text.includes("'") ? "'" : '"'
  return quote + escaped(text).replaceAll(quote, `\\${quote}`) + quote
}

/** Backslashes, control characters and lone surrogates, with escapes that both languages share. */
function escaped(text: string): string {
  const short: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
  const special = /[\\\p{Cc}\u2028\u2029\ufeff]|\p{Cs}/gu
  return text.replace(special, (unit) => short[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A JSON value in JavaScript: strings in single quotes, names unquoted where possible. */
export function scriptValue(value: unknown): string {
  if (typeof value === 'string') return scriptString(value)
  if (Array.isArray(value)) return `[${value.map(scriptValue).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${scriptName(name)}: ${scriptValue(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function scriptName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : scriptString(name)
}

/** A JSON value in Python. */
export function pythonValue(value: unknown): string {
  if (typeof value === 'string') return pythonString(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`
  if (value === null) return 'None'
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, member]) => `${pythonString(name)}: ${pythonValue(member)}`)
    .join(', ')}}`
}
