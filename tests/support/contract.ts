import { API_HEADERS, type ApiDescription, type Schema } from '@keepfirst/protocol'

/** An answer as it came over the wire. */
export interface Answered {
  readonly path: string
  readonly method: string
  readonly status: number
  /** By lower-case name. */
  readonly headers: Record<string, string>
  readonly text: string
}

/** What in this answer the description does not allow; empty when all is as described. */
export function breaches(api: ApiDescription, answered: Answered): string[] {
  const item = api.paths[answered.path]
  if (!item) return [`${answered.path} is not described`]
  const { responses } = answered.method === 'OPTIONS' ? item.options : item.post
  const response = responses[answered.status]
  if (!response) return [`${answered.method} ${answered.path} describes no ${answered.status}`]
  return [
    ...headerBreaches(answered.headers),
    ...bodyBreaches(api, response.content?.['application/json'].schema, answered),
  ]
}

function headerBreaches(headers: Answered['headers']): string[] {
  return Object.entries(API_HEADERS).flatMap(([name, value]) =>
    headers[name.toLowerCase()] === value ? [] : [`${name} is ${headers[name.toLowerCase()]}`],
  )
}

function bodyBreaches(api: ApiDescription, schema: Schema | undefined, { method, text }: Answered): string[] {
  if (!schema || method === 'HEAD') return text === '' ? [] : ['a body where none is described']
  return schemaBreaches(api, schema, JSON.parse(text), 'body')
}

/** What in `value` the schema does not allow, each with where it stands. Knows the part of JSON Schema that we use. */
export function schemaBreaches(api: ApiDescription, schema: Schema, value: unknown, at: string): string[] {
  if (schema.$ref) {
    const target = api.components.schemas[schema.$ref.replace('#/components/schemas/', '')]
    return target ? schemaBreaches(api, target, value, at) : [`${schema.$ref} leads nowhere`]
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) {
    const each = choices.map((choice) => schemaBreaches(api, choice, value, at))
    return each.some((found) => found.length === 0) ? [] : [`${at} is none of the choices`, ...each.flat()]
  }
  if (!isOfType(schema, value)) return [`${at} is no ${String(schema.type)}`]
  return [
    ...scalarBreaches(schema, value, at),
    ...(Array.isArray(value)
      ? value.flatMap((item, i) => schemaBreaches(api, schema.items ?? {}, item, `${at}[${i}]`))
      : memberBreaches(api, schema, value, at)),
  ]
}

function isOfType({ type }: Schema, value: unknown): boolean {
  if (type === undefined) return true
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return [type].flat().some((name) => (name === 'integer' ? Number.isInteger(value) : name === kind))
}

function scalarBreaches(schema: Schema, value: unknown, at: string): string[] {
  const found: string[] = []
  if (schema.const !== undefined && value !== schema.const) found.push(`${at} is not ${schema.const}`)
  if (schema.enum && !schema.enum.some((member) => member === value)) found.push(`${at} is not in the list`)
  if (typeof value === 'number' && value < (schema.minimum ?? -Infinity)) found.push(`${at} is below ${schema.minimum}`)
  if (typeof value === 'number' && value > (schema.maximum ?? Infinity)) found.push(`${at} is above ${schema.maximum}`)
  if (schema.format === 'date-time' && new Date(String(value)).toISOString() !== value)
    found.push(`${at} is no UTC time`)
  return found
}

function memberBreaches(api: ApiDescription, schema: Schema, value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const properties = schema.properties ?? {}
  const missing = (schema.required ?? []).filter((name) => !(name in value)).map((name) => `${at}.${name} is missing`)
  const members = Object.entries(value).flatMap(([name, member]) => {
    const described = properties[name]
    if (described) return schemaBreaches(api, described, member, `${at}.${name}`)
    return schema.additionalProperties === false ? [`${at}.${name} is not described`] : []
  })
  return [...missing, ...members]
}
