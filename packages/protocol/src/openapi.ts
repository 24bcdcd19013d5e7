import { grouped } from './numbers.ts'
import { type Described, type DescribedError, describeErrors, type Endpoint } from './openapi/errors.ts'
import { DEDUPE_EXAMPLES, type Exchange, VALIDATE_EXAMPLE } from './openapi/examples.ts'
import { SCHEMAS } from './openapi/schemas.ts'
import type {
  ApiDescription,
  Content,
  Example,
  Header,
  Operation,
  PathItem,
  Reference,
  Response,
  Schema,
} from './openapi/types.ts'
import { ACCOUNT_PLANS, addressesPerRequest, FUZZY_ROWS, PLANS, UNITS_PER_ADDRESS } from './plans.ts'
import { API_HEADERS } from './wire.ts'

export { type DescribedError, describeErrors, type Endpoint, messageTemplate } from './openapi/errors.ts'
export { DEDUPE_EXAMPLES, type Exchange, VALIDATE_EXAMPLE } from './openapi/examples.ts'
export { schemaName } from './openapi/schemas.ts'
export type { ApiDescription, Operation, PathItem, Response, Schema } from './openapi/types.ts'

/** Specification 9.2. */
const VERSION = '1.0.0'

/**
 * The OpenAPI 3.1 description of the API as served at `baseUrl` (without a trailing slash), derived from the tables of
 * plans, refusals and bodies.
 */
export function describeApi(baseUrl: string): ApiDescription {
  const errors = describeErrors(baseUrl)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Keepfirst',
      version: VERSION,
      summary: 'Removes duplicates from a list and keeps the first of each.',
      description:
        'One request, one answer: a list goes in, the survivors come back in their order. Nothing is stored. ' +
        'Usage is metered in units; refused requests cost nothing.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [
      { name: 'Deduplicate', description: 'Lines, CSV rows or JSON items without their duplicates.' },
      { name: 'Validate', description: 'Which email addresses will certainly not work.' },
    ],
    paths: { '/api/dedupe': dedupePath(errors), '/api/validate': validatePath(errors) },
    components: { schemas: SCHEMAS, headers: HEADERS, securitySchemes: SECURITY_SCHEMES },
  }
}

const HEADERS: { readonly [name: string]: Header } = {
  AllowOrigin: {
    description: 'Pages of any origin may read the answer.',
    required: true,
    schema: constant('Access-Control-Allow-Origin'),
  },
  AllowMethods: {
    description: 'Methods that a page may use.',
    required: true,
    schema: constant('Access-Control-Allow-Methods'),
  },
  AllowHeaders: {
    description:
      'Headers that a page of another origin may set. Keys are not among them: they are for servers and command lines.',
    required: true,
    schema: constant('Access-Control-Allow-Headers'),
  },
  RetryAfter: {
    description: 'Seconds until the burst window ends. Sent only with the burst error; a 429 without it is final.',
    schema: { type: 'integer', minimum: 1 },
  },
}

const SECURITY_SCHEMES: ApiDescription['components']['securitySchemes'] = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The key as a bearer token. Read first.' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The key by itself. Read when `Authorization` is absent or is not a bearer token.',
  },
}

const CORS: { readonly [name: string]: Reference } = {
  'Access-Control-Allow-Origin': { $ref: '#/components/headers/AllowOrigin' },
  'Access-Control-Allow-Methods': { $ref: '#/components/headers/AllowMethods' },
  'Access-Control-Allow-Headers': { $ref: '#/components/headers/AllowHeaders' },
}

function constant(name: keyof typeof API_HEADERS): Schema {
  return { type: 'string', const: API_HEADERS[name] }
}

function dedupePath(errors: readonly DescribedError[]): PathItem {
  return {
    post: {
      operationId: 'dedupe',
      tags: ['Deduplicate'],
      summary: 'Remove duplicates from one list',
      description:
        'Keeps the first of each kind and drops the rest. Costs `max(rows, ceil(bytes / 1024))` units of the input, at least 1. ' +
        `A key is optional: without one, the keyless plan applies and fuzzy matching is not available. A fuzzy request may have at most ${grouped(FUZZY_ROWS)} data rows.`,
      security: [{}, { bearer: [] }, { apiKey: [] }],
      requestBody: body('DedupeRequest', 'Read as JSON, whatever `Content-Type` says.', DEDUPE_EXAMPLES),
      responses: { '200': result('DedupeAnswer', 'The survivors.', DEDUPE_EXAMPLES), ...refusals(errors, 'dedupe') },
    },
    options: preflight(errors, 'dedupe', 'Deduplicate'),
  }
}

function validatePath(errors: readonly DescribedError[]): PathItem {
  return {
    post: {
      operationId: 'validate',
      tags: ['Validate'],
      summary: 'Validate email addresses',
      description:
        'Checks syntax, mail exchanger, disposable domains and role accounts. Mail servers are not contacted, so an address that passes can still bounce. ' +
        `Costs ${UNITS_PER_ADDRESS} units per address; at most ${addressBounds()}.`,
      security: [{ bearer: [] }, { apiKey: [] }],
      requestBody: body('ValidateRequest', 'Read as JSON, whatever `Content-Type` says.', [VALIDATE_EXAMPLE]),
      responses: {
        '200': result('ValidateAnswer', 'The verdicts.', [VALIDATE_EXAMPLE]),
        ...refusals(errors, 'validate'),
      },
    },
    options: preflight(errors, 'validate', 'Validate'),
  }
}

/** `100 addresses on Free, 25,000 on Starter and Pro`. */
function addressBounds(): string {
  const plans = ACCOUNT_PLANS.map((name) => PLANS[name])
  const bounds = [...new Set(plans.map(addressesPerRequest))].map((most) => {
    const titles = plans.filter((plan) => addressesPerRequest(plan) === most).map(({ title }) => title)
    return `${grouped(most)} on ${titles.join(' and ')}`
  })
  return bounds.join(', ').replace(' on', ' addresses on')
}

function preflight(errors: readonly DescribedError[], endpoint: Endpoint, tag: string): Operation {
  return {
    operationId: `${endpoint}Preflight`,
    tags: [tag],
    summary: 'CORS preflight',
    description: 'Tells a browser what a page of another origin may send. No body, no cost.',
    security: [{}],
    responses: { '204': { description: 'The CORS headers.', headers: CORS }, ...refusals(errors, 'preflight') },
  }
}

function body(
  schema: string,
  description: string,
  exchanges: readonly Exchange<unknown, unknown>[],
): NonNullable<Operation['requestBody']> {
  return {
    required: true,
    description,
    content: content(
      schema,
      exchanges.map(({ name, title, request }) => [name, title, request]),
    ),
  }
}

function result(schema: string, description: string, exchanges: readonly Exchange<unknown, unknown>[]): Response {
  return {
    description,
    headers: CORS,
    content: content(
      schema,
      exchanges.map(({ name, title, answer }) => [name, title, answer]),
    ),
  }
}

/** The errors of one endpoint by status, each with its message as an example. */
function refusals(errors: readonly DescribedError[], endpoint: Described): Record<string, Response> {
  const responses: Record<string, Response> = {}
  const here = errors.filter(({ on }) => on.includes(endpoint))
  for (const status of new Set(here.map(({ refusal }) => refusal.status))) {
    const alike = here.filter(({ refusal }) => refusal.status === status)
    const mayWait = alike.some(({ refusal }) => refusal.body.retryAfter !== undefined)
    responses[status] = {
      description: alike.map(({ when }) => when).join(' '),
      headers: mayWait ? { ...CORS, 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : CORS,
      content: content(
        'Error',
        alike.map(({ name, when, refusal }) => [name, when, refusal.body]),
      ),
    }
  }
  return responses
}

function content(
  schema: string,
  examples: readonly (readonly [name: string, summary: string, value: unknown])[],
): Content {
  const named: Record<string, Example> = {}
  for (const [name, summary, value] of examples) named[name] = { summary, value }
  return { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, examples: named } }
}
