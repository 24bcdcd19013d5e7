import { describe, expect, test } from 'vitest'
import { describeApi, describeErrors } from '../src/openapi.ts'
import { refuse } from '../src/refusals.ts'

const api = describeApi('https://lists.example')

describe('9.2 the published description', () => {
  test('has the version 1.0.0 and the address of the server', () => {
    expect(api.openapi).toBe('3.1.0')
    expect(api.info.version).toBe('1.0.0')
    expect(api.servers).toEqual([{ url: 'https://lists.example' }])
  })

  test('every $ref resolves', () => {
    for (const [, path] of JSON.stringify(api).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      let target: unknown = api
      for (const name of path?.split('/') ?? []) target = Object(target)[name]
      expect(target, path).toBeDefined()
    }
  })

  test('every error is described, except for the 404 of an unknown path', () => {
    const described = describeErrors('').map(({ name }) => name.split('.')[0])
    expect(new Set([...described, 'notFound'])).toEqual(new Set(Object.keys(refuse)))
  })

  test('4.4 only 429 has Retry-After', () => {
    const withHeader = Object.values(api.paths).flatMap(({ post }) =>
      Object.entries(post.responses).flatMap(([status, { headers }]) => ('Retry-After' in headers ? [status] : [])),
    )
    expect(withHeader).toEqual(['429', '429'])
  })

  test('messages that refer to an address contain it', () => {
    const forbidden = describeErrors('https://lists.example').find(({ name }) => name === 'fuzzyNeedsKey')
    expect(forbidden?.refusal.body.error).toBe(
      'fuzzy matching requires an API key — create a free key at https://lists.example/app/keys',
    )
  })
})
