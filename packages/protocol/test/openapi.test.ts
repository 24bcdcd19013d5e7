import { describe, expect, test } from 'vitest'
import { describeApi, describeErrors } from '../src/openapi.ts'
import { refuse } from '../src/refusals.ts'

const api = describeApi('https://lists.example')

describe('9.2 the published description', () => {
  test('carries the label 1.0.0 and the address that serves it', () => {
    expect(api.openapi).toBe('3.1.0')
    expect(api.info.version).toBe('1.0.0')
    expect(api.servers).toEqual([{ url: 'https://lists.example' }])
  })

  test('every reference leads somewhere', () => {
    for (const [, path] of JSON.stringify(api).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      let there: unknown = api
      for (const name of path?.split('/') ?? []) there = Object(there)[name]
      expect(there, path).toBeDefined()
    }
  })

  test('every error of the table is described, but the 404 of a path that the API does not have', () => {
    const described = describeErrors('').map(({ name }) => name.split('.')[0])
    expect(new Set([...described, 'notFound'])).toEqual(new Set(Object.keys(refuse)))
  })

  test('4.4 Retry-After is only on 429', () => {
    const withHeader = Object.values(api.paths).flatMap(({ post }) =>
      Object.entries(post.responses).flatMap(([status, { headers }]) => ('Retry-After' in headers ? [status] : [])),
    )
    expect(withHeader).toEqual(['429', '429'])
  })

  test('the address is in the messages that refer to one', () => {
    const forbidden = describeErrors('https://lists.example').find(({ name }) => name === 'fuzzyNeedsKey')
    expect(forbidden?.refusal.body.error).toBe(
      'fuzzy matching requires an API key — create a free key at https://lists.example/app/keys',
    )
  })
})
