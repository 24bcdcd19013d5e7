/** The part of OpenAPI 3.1 that our description uses. */
export interface ApiDescription {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: { readonly [path: string]: PathItem }
  readonly components: {
    readonly schemas: { readonly [name: string]: Schema }
    readonly headers: { readonly [name: string]: Header }
    readonly securitySchemes: { readonly [name: string]: SecurityScheme }
  }
}

export interface PathItem {
  readonly post: Operation
  readonly options: Operation
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  /** An empty requirement means that no key is needed. */
  readonly security: readonly { readonly [scheme: string]: readonly string[] }[]
  readonly requestBody?: {
    readonly required: true
    readonly description: string
    readonly content: Content
  }
  readonly responses: { readonly [status: string]: Response }
}

export interface Response {
  readonly description: string
  readonly headers: { readonly [name: string]: Reference }
  readonly content?: Content
}

export interface Content {
  readonly 'application/json': {
    readonly schema: Schema
    readonly examples?: { readonly [name: string]: Example }
  }
}

export interface Example {
  readonly summary: string
  readonly value: unknown
}

export interface Header {
  readonly description: string
  readonly required?: boolean
  readonly schema: Schema
}

export interface Reference {
  readonly $ref: string
}

type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: 'bearer'; readonly description: string }
  | { readonly type: 'apiKey'; readonly in: 'header'; readonly name: string; readonly description: string }

type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null'

/** The part of JSON Schema 2020-12 that the description uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: SchemaType | readonly SchemaType[]
  readonly description?: string
  readonly const?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly format?: 'date-time'
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly discriminator?: { readonly propertyName: string; readonly mapping: { readonly [value: string]: string } }
}
