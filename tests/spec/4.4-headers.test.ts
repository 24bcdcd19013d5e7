import { expect, test } from 'vitest'
import { describeOnEachStore } from '../support/stores.ts'

const FOUR = {
  'content-type': 'application/json',
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type',
}
const FRAMING = ['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'date']

function withoutFraming(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !FRAMING.includes(name)))
}

describeOnEachStore('4.2 to 4.4 methods and headers', (server) => {
  test.each([
    { name: 'a result', call: { body: { mode: 'lines', data: 'a' } }, status: 200 },
    { name: 'an unparseable body', call: { body: '{' }, status: 400 },
    { name: 'an unknown key', call: { token: 'x', body: '{' }, status: 401 },
    { name: 'keyless fuzzy', call: { body: { mode: 'rows', data: '', options: { fuzzy: true } } }, status: 403 },
    { name: 'a body over the cap', call: { body: 'x'.repeat(300_000) }, status: 413 },
    { name: 'a preflight', call: { method: 'OPTIONS' }, status: 204 },
    { name: 'a trailing slash is another path', call: { path: '/api/dedupe/', body: '{}' }, status: 404 },
    { name: 'an unknown path', call: { path: '/api/nothing', body: '{}' }, status: 404 },
  ])('$name: exactly the four headers', async ({ call, status }) => {
    const answer = await server().call(call)
    expect(answer.status).toBe(status)
    expect(withoutFraming(answer.headers)).toEqual(FOUR)
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'REPORT'])('%s answers 405', async (method) => {
    const answer = await server().call({ method })
    expect(answer.status).toBe(405)
    expect(answer.json).toEqual({ error: `POST a JSON body — see ${server().baseUrl}/api` })
    expect(withoutFraming(answer.headers)).toEqual(FOUR)
  })

  test('HEAD answers 405 without a body', async () => {
    const answer = await server().call({ method: 'HEAD' })
    expect(answer).toMatchObject({ status: 405, text: '' })
  })

  test('OPTIONS answers 204 without a body', async () => {
    expect(await server().call({ method: 'OPTIONS' })).toMatchObject({ status: 204, text: '' })
  })

  test('a query string is ignored', async () => {
    const answer = await server().call({ path: '/api/dedupe?a=b', body: { mode: 'lines', data: 'a' } })
    expect(answer.status).toBe(200)
  })

  test.each(['text/plain', 'multipart/form-data; x', 'application/xml', ''])(
    'the declared Content-Type %j does not matter',
    async (type) => {
      const answer = await server().call({ headers: { 'Content-Type': type }, body: '{"mode":"lines","data":"a"}' })
      expect(answer.json).toEqual({ result: ['a'], kept: 1, removed: 0 })
    },
  )
})
