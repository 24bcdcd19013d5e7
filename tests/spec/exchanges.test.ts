import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf } from '../support/examples.ts'
import { REPOSITORY, type RunningServer, startServer } from '../support/server.ts'

/** An example in the specification: a body and its answer. */
interface Exchange {
  readonly path: string
  readonly keyed: boolean
  readonly body: string
  readonly status: number
  readonly answer: string
}

const SPECIFICATION = await readFile(join(REPOSITORY, 'docs/specification.md'), 'utf8')

const EXCHANGES = blocksOf(SPECIFICATION, 'exchange').flatMap(exchangesOf)

function exchangesOf(block: string): Exchange[] {
  const shown = [...block.matchAll(/^> (?:(\/\S+) )?(\(no key\) )?(.*)\n< (?:(\d{3}) )?(.*)$/gm)]
  return shown.map(([, path = '/api/dedupe', keyless, body = '', status = '200', answer = '']) => {
    return { path, keyed: keyless === undefined, body, status: Number(status), answer }
  })
}

let server: RunningServer
let token: string
beforeAll(async () => {
  server = await startServer()
  token = (await server.key('reader@example.com')).token
})
afterAll(() => server.stop())

describe('the service answers the examples of the specification as written there', () => {
  test('each example is a request and its answer', () => {
    const lines = blocksOf(SPECIFICATION, 'exchange').join('').trim().split('\n')
    expect(EXCHANGES).toHaveLength(lines.length / 2)
  })

  test.each(EXCHANGES)('$body', async ({ path, keyed, body, status, answer }) => {
    const actual = await server.call({ path, body, ...(keyed ? { token } : {}) })
    expect(actual.text).toBe(answer.replaceAll('{base_url}', server.baseUrl))
    expect(actual.status).toBe(status)
  })
})
