import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MODES, refuse } from '@keepfirst/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENVIRONMENT, type RunningServer, runCommand, startServer } from '../support/server.ts'

let server: RunningServer
let token: string
beforeAll(async () => {
  server = await startServer()
  token = (await server.key('service@example.com')).token
})
afterAll(() => server.stop())

/** A list of three entries in each mode; the last one equals the first. */
const LISTS = {
  lines: { data: 'b\na\nb', result: ['b', 'a'] },
  rows: { data: 'h\nb\na\nb', result: 'h\nb\na' },
  json: { data: ['b', 'a', 'b'], result: ['b', 'a'] },
}

describe('1.1 to 1.3 the answer contains the list with the first of equal entries, in order', () => {
  test.each(MODES)('%s', async (mode) => {
    const { data, result } = LISTS[mode]
    const answer = await server.call({ token, body: { mode, data } })
    expect(answer).toMatchObject({ status: 200, json: { result, kept: 2, removed: 1 } })
    expect(answer.headers).not.toHaveProperty('location')
  })

  test.each(['Lines', 'line', 'csv', '', 'lines '])('unknown mode %j', async (mode) => {
    const answer = await server.call({ token, body: { mode, data: 'a' } })
    expect(answer).toMatchObject({ status: 400, json: refuse.badMode().body })
  })
})

describe('1.4 equal entries are duplicates, similar ones only if requested', () => {
  test.each([
    { fuzzy: false, kept: 2 },
    { fuzzy: true, kept: 1 },
  ])('fuzzy $fuzzy: $kept', async ({ fuzzy, kept }) => {
    const body = { mode: 'rows', data: 'h\nMargaret Hamilton\nMargaret Hamiltom', options: { fuzzy } }
    expect((await server.call({ token, body })).json).toMatchObject({ kept })
  })
})

test('1.5 lists that were sent before have no effect', async () => {
  const body = { mode: 'lines', data: 'a\nb' }
  const [first, second] = [await server.call({ token, body }), await server.call({ token, body })]
  expect(first.json).toEqual({ result: ['a', 'b'], kept: 2, removed: 0 })
  expect(second.json).toEqual(first.json)
})

test('1.7 a list costs the same in one request and in several', async () => {
  const lines = (count: number) => ({ mode: 'lines', data: '\n'.repeat(count - 1) })
  const spent = async (account: string, counts: readonly number[]) => {
    const { token } = await server.key(account)
    for (const count of counts) await server.call({ token, body: lines(count) })
    return (await server.events(account)).reduce((sum, { units }) => sum + Number(units), 0)
  }
  expect(await spent('whole@example.com', [100])).toBe(100)
  expect(await spent('parts@example.com', [1, 59, 40])).toBe(100)
})

test('1.9 the command line works without a server and leaves nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keepfirst-local-'))
  const env = { ...ENVIRONMENT, DATABASE_URL: `sqlite:${folder}/keepfirst.db`, BASE_URL: 'http://127.0.0.1:9' }
  expect(await runCommand(['lines', '/dev/null'], env, folder)).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})
