import type { ApiDescription, Schema } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { Prose } from './Prose.tsx'

interface FieldsProps {
  readonly api: ApiDescription
  /** Name of an object's schema in the description. */
  readonly schema: string
  /** Stands in front of each name: where the object is found. */
  readonly inside?: string
  /** Members that are described somewhere else on the page. */
  readonly without?: readonly string[]
}

/** The members of an object: name, type, whether it must be there, meaning. */
export function Fields({ api, schema, inside = '', without = [] }: FieldsProps): ReactElement {
  const { properties = {}, required = [] } = api.components.schemas[schema] ?? {}
  return (
    <dl className="fields">
      {Object.entries(properties)
        .filter(([name]) => !without.includes(name))
        .map(([name, member]) => (
          <div key={name} className="field-row">
            <dt>
              <code className="field-name">
                <span className="field-inside">{inside}</span>
                {name}
              </code>
              <span className="field-type">{typeOf(member)}</span>
              {required.includes(name) && <span className="field-type">required</span>}
              {member.default !== undefined && <span className="field-type">default {presetOf(member.default)}</span>}
            </dt>
            <dd>
              <Prose text={member.description ?? ''} />
            </dd>
          </div>
        ))}
    </dl>
  )
}

/** A default in words. */
function presetOf(value: unknown): string {
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
