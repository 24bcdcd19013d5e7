import { describe, expect, test } from 'vitest'
import { trustedOrigins } from '../../src/dashboard/origin.ts'

describe('origins whose pages may act on behalf of a user', () => {
  test.each([
    { baseUrl: 'https://dedupe.example.com', origins: ['https://dedupe.example.com'] },
    { baseUrl: 'https://example.com/dedupe', origins: ['https://example.com'] },
    { baseUrl: 'http://192.168.0.7:8080', origins: ['http://192.168.0.7:8080'] },
    { baseUrl: 'http://localhost:8080', origins: ['http://localhost:8080', 'http://127.0.0.1:8080'] },
    { baseUrl: 'http://127.0.0.1:8080', origins: ['http://localhost:8080', 'http://127.0.0.1:8080'] },
    { baseUrl: 'http://localhost', origins: ['http://localhost', 'http://127.0.0.1'] },
    { baseUrl: 'https://localhost.example.com', origins: ['https://localhost.example.com'] },
  ])('$baseUrl', ({ baseUrl, origins }) => {
    expect(trustedOrigins(baseUrl)).toEqual(origins)
  })
})
