import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../support/server.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const emails = (count: number) => ({ emails: new Array(count).fill('a@b') })

describe('1.6 a refused call with a key is recorded with 0 units, and with null for unknown values', () => {
  test.each([
    { name: 'invalid JSON', path: '/api/dedupe', body: '{', event: { status: 400, mode: null, rows: null } },
    { name: 'data of a wrong type', path: '/api/dedupe', body: { mode: 'lines' }, event: { status: 400, rows: null } },
    {
      name: 'a body over the cap',
      path: '/api/dedupe',
      body: ' '.repeat(524_289),
      event: { status: 413, mode: null, rows: null },
    },
    {
      name: 'too many units',
      path: '/api/dedupe',
      body: { mode: 'lines', data: '\n'.repeat(200) },
      event: { status: 413, mode: 'lines', rows: 201 },
    },
    { name: 'invalid JSON', path: '/api/validate', body: '{', event: { status: 400, mode: 'validate', rows: null } },
    { name: 'no emails', path: '/api/validate', body: {}, event: { status: 400, mode: 'validate', rows: null } },
    {
      name: 'a body over the cap',
      path: '/api/validate',
      body: ' '.repeat(524_289),
      event: { status: 413, mode: 'validate', rows: null },
    },
    {
      name: 'too many units',
      path: '/api/validate',
      body: emails(101),
      event: { status: 413, mode: 'validate', rows: 101 },
    },
  ])('$path: $name', async ({ path, body, event }) => {
    const account = `${crypto.randomUUID()}@example.com`
    const { id, token } = await server.key(account, 'free')
    await server.call({ path, token, body })
    const [recorded, ...more] = await server.events(account)
    expect(recorded).toMatchObject({ keyId: id, removed: null, units: 0, ...event })
    expect(more).toEqual([])
  })
})
