/*
 * A textbook recursive-descent JSON parser. Each value has its source text and a canonical form that is the same for
 * all texts with the same meaning.
 */

/** A parsed value. */
export interface Value {
  /** The source text. */
  readonly text: string
  /** The same for equal values, and for no others. */
  readonly meaning: string
  /** Members of an object in their order, elements of an array under their numbers; undefined for anything else. */
  readonly members?: readonly (readonly [name: string, value: Value])[]
}

/** Parses a text that is known to be one JSON value. */
export function readValue(text: string): Value {
  let at = 0
  const space = (): void => {
    while (/[ \n\r\t]/.test(text.charAt(at))) at++
  }
  const take = (token: RegExp): string => {
    const sticky = new RegExp(token, 'y')
    sticky.lastIndex = at
    const [found] = sticky.exec(text) ?? ['']
    at += found.length
    return found
  }
  const string = (): string => String(JSON.parse(take(/"(?:[^"\\]|\\.)*"/)))
  const list = (close: string, member: () => void): void => {
    at++
    space()
    while (text.charAt(at) !== close) {
      member()
      space()
      if (text.charAt(at) === ',') at++
      space()
    }
    at++
  }
  const object = (): Omit<Value, 'text'> => {
    const members: [string, Value][] = []
    list('}', () => {
      const name = string()
      space()
      at++ // the colon
      members.push([name, value()])
    })
    return { meaning: `{${members.map(([name, { meaning }]) => `${JSON.stringify(name)}:${meaning}`)}}`, members }
  }
  const array = (): Omit<Value, 'text'> => {
    const members: [string, Value][] = []
    list(']', () => members.push([String(members.length), value()]))
    return { meaning: `[${members.map(([, { meaning }]) => meaning)}]`, members }
  }
  const value = (): Value => {
    space()
    const start = at
    const read = (): Omit<Value, 'text'> => {
      if (text.charAt(at) === '{') return object()
      if (text.charAt(at) === '[') return array()
      if (text.charAt(at) === '"') return { meaning: JSON.stringify(string()) }
      const scalar = take(/[-+.\w]+/)
      return { meaning: /^[-\d]/.test(scalar) ? exactValue(scalar) : scalar }
    }
    const { meaning, members } = read()
    return { text: text.slice(start, at), meaning, ...(members && { members }) }
  }
  return value()
}

/** The value of a number as an integer without trailing zeros times a power of ten. */
export function exactValue(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]\+?(-?[0-9]+))?$/.exec(number) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const zeros = /0*$/.exec(digits)?.[0].length ?? 0
  if (digits === '') return '0'
  const tens = BigInt(exponent) - BigInt(fraction.length) + BigInt(zeros)
  return `${sign}${digits.slice(0, digits.length - zeros)}×10^${tens}`
}

/** Looks up a dot path; undefined if it does not resolve. The last of repeated members counts. */
export function lookUp(item: Value, path: string): Value | undefined {
  if (path === '') return item
  let value: Value | undefined = item
  for (const segment of path.split('.')) value = value?.members?.findLast(([name]) => name === segment)?.[1]
  return value
}
