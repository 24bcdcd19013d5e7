import { InvalidInputError } from './errors.ts'

/**
 * The part of a type that JSON can represent: plain objects, arrays, strings, numbers, booleans and null. Anything else
 * (functions, BigInt, Map, Date …) becomes `never`, so that passing such a value does not compile.
 */
export type JsonCompatible<Value> = Value extends string | number | boolean | null
  ? Value
  : Value extends bigint | symbol | undefined | Unrepresentable
    ? never
    : { [Key in keyof Value]: JsonCompatible<Value[Key]> }

type Unrepresentable =
  | ((...args: never[]) => unknown)
  | Date
  | RegExp
  | Error
  | ArrayBufferView
  | ArrayBuffer
  | Promise<unknown>
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | WeakMap<WeakKey, unknown>
  | WeakSet<WeakKey>

/** A value still to be checked, with its path; `leave` marks the end of an object. */
type Step = { readonly value: unknown; readonly path: string } | { readonly leave: object }

/**
 * Serialises a value after checking that JSON can represent all of it.
 * @param value the value to write
 * @param name its name in messages; a path is appended, as in `items[3].when`
 * @throws InvalidInputError when JSON cannot represent the value
 */
export function writeJson(value: unknown, name: string): string {
  try {
    check(value, name)
    return JSON.stringify(value)
  } catch (cause) {
    if (cause instanceof InvalidInputError) throw cause
    // A getter threw, or the nesting is too deep for the platform.
    throw new InvalidInputError(`${name} cannot be written as JSON; jsonText takes text, nested to any depth`, cause)
  }
}

/** @throws InvalidInputError when JSON cannot represent the value */
function check(value: unknown, name: string): void {
  const around = new Set<object>()
  const steps: Step[] = [{ value, path: name }]
  // An explicit stack, so that nesting is limited only by memory.
  for (let step = steps.pop(); step; step = steps.pop()) {
    if ('leave' in step) {
      around.delete(step.leave)
      continue
    }
    const { value: inner, path } = step
    const wrong = unrepresentable(inner, around)
    if (wrong !== undefined) throw new InvalidInputError(`${path} ${wrong}`)
    if (typeof inner !== 'object' || inner === null) continue
    around.add(inner)
    steps.push({ leave: inner })
    for (const member of membersOf(inner, path).reverse()) steps.push(member)
  }
}

/** Why JSON cannot represent a value, ignoring its members. */
function unrepresentable(value: unknown, around: ReadonlySet<object>): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined
    case 'number':
      return Number.isFinite(value) ? undefined : `is ${value}, which JSON cannot represent`
    case 'bigint':
      return 'is a BigInt; jsonText takes numbers as text and keeps every digit'
    case 'object':
      return value === null ? undefined : unrepresentableObject(value, around)
    default:
      return `is ${value === undefined ? 'undefined' : `a ${typeof value}`}, which JSON cannot represent`
  }
}

function unrepresentableObject(value: object, around: ReadonlySet<object>): string | undefined {
  if (around.has(value)) return 'is a circular reference'
  if (Array.isArray(value)) return undefined
  const prototype: unknown = Object.getPrototypeOf(value)
  // An object from another realm is plain if its prototype has no prototype.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined
  return `is a ${className(value)}, which JSON cannot represent; send a plain object or text`
}

function className(value: object): string {
  const { name } = value.constructor ?? {}
  return typeof name === 'string' && name !== '' ? name : 'object of a class'
}

function membersOf(value: object, path: string): Step[] {
  if (Array.isArray(value)) return Array.from(value, (inner, index) => ({ value: inner, path: `${path}[${index}]` }))
  return Object.entries(value).map(([key, inner]) => ({ value: inner, path: path + memberPath(key) }))
}

function memberPath(key: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}
