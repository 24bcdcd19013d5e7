import type { FastifyPluginAsync } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { type ApiServer, cut, startApi } from './support/api-server.ts'

const started: ApiServer[] = []
afterEach(async () => {
  for (const api of started.splice(0)) await cut(api)
})

const pages: FastifyPluginAsync = async (app) => {
  app.get('/', async () => 'a page')
}

/** A server whose pages load successfully or not, as given for each attempt. */
async function start(...outcomes: ('fault' | 'pages')[]): Promise<ApiServer & { readonly loads: () => number }> {
  let loads = 0
  const api = await startApi(undefined, {
    pages: async () => {
      if (outcomes[loads++] === 'fault') throw new Error('a file is missing')
      return pages
    },
  })
  started.push(api)
  return { ...api, loads: () => loads }
}

const get = (port: number, path: string) => fetch(`http://127.0.0.1:${port}${path}`)

test('the API is served before the pages are loaded; the first requests for pages load them once', async () => {
  const { port, loads } = await start('pages')
  const sent = await fetch(`http://127.0.0.1:${port}/api/dedupe`, { method: 'POST', body: 'hi' })
  expect(await sent.json()).toEqual({ bytes: 2 })
  expect(loads()).toBe(0)
  const answers = await Promise.all([1, 2, 3].map(async () => (await get(port, '/')).text()))
  expect(answers).toEqual(['a page', 'a page', 'a page'])
  expect(loads()).toBe(1)
})

test('a failure to load the pages is a 500, and the next request tries again', async () => {
  const { port, faults } = await start('fault', 'pages')
  const answer = await get(port, '/')
  expect([answer.status, await answer.json()]).toEqual([500, { error: 'internal error' }])
  expect(faults).toHaveLength(1)
  expect(await (await get(port, '/')).text()).toBe('a page')
})
