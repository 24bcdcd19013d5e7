import { API_HEADERS, describeApi, type Schema } from '@keepfirst/protocol'

/** An answer of the API as received. */
interface Answered {
  readonly path: string
  readonly method: string
  readonly status: number
  /** By lower-case name. */
  readonly headers: Record<string, string>
  readonly text: string
}

const api = describeApi('http://localhost:8080')

/** @throws Error when an answer of the API does not match the description; other paths are ignored */
export function assertDescribed(answered: Answered): void {
  const item = api.paths[answered.path.split('?')[0] ?? '']
  if (!item) return
  const { responses } = answered.method === 'OPTIONS' ? item.options : item.post
  const response = responses[answered.status]
  const violations = response
    ? [
        ...headerViolations(answered.headers),
        ...bodyViolations(response.content?.['application/json'].schema, answered),
      ]
    : ['this status is not described']
  if (violations.length > 0) {
    throw new Error(`${answered.method} ${answered.path} answers ${answered.status}: ${violations.join('; ')}`)
  }
}

function headerViolations(headers: Answered['headers']): string[] {
  return Object.entries(API_HEADERS).flatMap(([name, value]) =>
    headers[name.toLowerCase()] === value ? [] : [`${name} is ${headers[name.toLowerCase()]}`],
  )
}

function bodyViolations(schema: Schema | undefined, { method, text }: Answered): string[] {
  if (!schema || method === 'HEAD') return text === '' ? [] : ['a body where none is described']
  return schemaViolations(schema, JSON.parse(text), 'body')
}

/** Violations of a schema in `value`. Supports the part of JSON Schema that we use. */
export function schemaViolations(schema: Schema, value: unknown, at: string): string[] {
  // Any value is allowed, however deep.
  if (Object.keys(schema).length === 0) return []
  if (schema.$ref) {
    const target = api.components.schemas[schema.$ref.replace('#/components/schemas/', '')]
    return target ? schemaViolations(target, value, at) : [`${schema.$ref} does not resolve`]
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) {
    const each = choices.map((choice) => schemaViolations(choice, value, at))
    return each.some((found) => found.length === 0) ? [] : [`${at} matches none of the choices`, ...each.flat()]
  }
  if (!isOfType(schema, value)) return [`${at} is not of type ${String(schema.type)}`]
  return [
    ...scalarViolations(schema, value, at),
    ...(Array.isArray(value)
      ? value.flatMap((item, i) => schemaViolations(schema.items ?? {}, item, `${at}[${i}]`))
      : memberViolations(schema, value, at)),
  ]
}

function isOfType({ type }: Schema, value: unknown): boolean {
  if (type === undefined) return true
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return [type].flat().some((name) => (name === 'integer' ? Number.isInteger(value) : name === kind))
}

function scalarViolations(schema: Schema, value: unknown, at: string): string[] {
  const found: string[] = []
  if (schema.const !== undefined && value !== schema.const) found.push(`${at} is not ${schema.const}`)
  if (schema.enum && !schema.enum.some((member) => member === value)) found.push(`${at} is not in the list`)
  if (typeof value === 'number' && value < (schema.minimum ?? -Infinity)) found.push(`${at} is below ${schema.minimum}`)
  if (typeof value === 'number' && value > (schema.maximum ?? Infinity)) found.push(`${at} is above ${schema.maximum}`)
  if (schema.format === 'date-time' && new Date(String(value)).toISOString() !== value)
    found.push(`${at} is not a UTC time`)
  return found
}

function memberViolations(schema: Schema, value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const properties = schema.properties ?? {}
  const missing = (schema.required ?? []).filter((name) => !(name in value)).map((name) => `${at}.${name} is missing`)
  const members = Object.entries(value).flatMap(([name, member]) => {
    const described = properties[name]
    if (described) return schemaViolations(described, member, `${at}.${name}`)
    return schema.additionalProperties === false ? [`${at}.${name} is not described`] : []
  })
  return [...missing, ...members]
}
