import type { ApiDescription, Schema } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { AnchorLink } from './AnchorLink.tsx'
import { NOTES } from './notes.ts'
import { Prose } from './Prose.tsx'

interface FieldsProps {
  readonly api: ApiDescription
  /** Name of the object's schema in the description. */
  readonly schema: string
  /** Prefix of the fields' anchors. */
  readonly anchor: string
  /** Prefix of each name, which shows where the object is. */
  readonly inside?: string
  /** Members that are described elsewhere on the page. */
  readonly without?: readonly string[]
}

/** The members of an object: name, type, whether it is required, meaning and pitfalls. Each has an anchor. */
export function Fields({ api, schema, anchor, inside = '', without = [] }: FieldsProps): ReactElement {
  const { properties = {}, required = [] } = api.components.schemas[schema] ?? {}
  return (
    <dl className="fields">
      {Object.entries(properties)
        .filter(([name]) => !without.includes(name))
        .map(([name, member]) => (
          <Field
            key={name}
            id={`${anchor}-${name}`}
            inside={inside}
            name={name}
            schema={member}
            required={required.includes(name)}
          />
        ))}
    </dl>
  )
}

interface FieldProps {
  readonly id: string
  readonly inside: string
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
}

function Field({ id, inside, name, schema, required }: FieldProps): ReactElement {
  return (
    <div className="field-row" id={id}>
      <dt data-entry={`${inside}${name}`}>
        <code className="field-name">
          <span className="field-inside">{inside}</span>
          {name}
        </code>
        <span className="field-type">{typeOf(schema)}</span>
        {required && <span className="field-type">required</span>}
        {schema.default !== undefined && <span className="field-type">default {formatDefault(schema.default)}</span>}
        <AnchorLink id={id} title={`${inside}${name}`} />
      </dt>
      <dd>
        <Prose text={schema.description ?? ''} />
      </dd>
      {NOTES[id]?.map((note) => (
        <dd key={note} className="field-note">
          <Prose text={note} />
        </dd>
      ))}
    </div>
  )
}

/** A default value in words. */
function formatDefault(value: unknown): string {
  return value === '' || (Array.isArray(value) && value.length === 0) ? 'empty' : JSON.stringify(value)
}

/** A type in words. */
function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((member) => JSON.stringify(member)).join(' | ')
  if (schema.$ref) return 'object'
  if (schema.type === 'array')
    return schema.items?.type || schema.items?.$ref ? `array of ${typeOf(schema.items)}` : 'array'
  const name = [schema.type ?? 'any'].flat().join(' | ')
  if (schema.format) return `${name}, ${schema.format}`
  return schema.maximum === undefined ? name : `${name}, ${schema.minimum} to ${schema.maximum}`
}
