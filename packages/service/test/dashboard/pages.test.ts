import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as zlib from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { pages } from '../../src/dashboard/pages.ts'

const faults = vi.hoisted(() => ({ compressions: 0 }))

vi.mock('node:zlib', async (original) => {
  const real = await original<typeof zlib>()
  return {
    ...real,
    gzip(data: Buffer, done: (error: Error | null, result: Buffer) => void): void {
      if (faults.compressions === 0) real.gzip(data, done)
      else {
        faults.compressions -= 1
        done(new Error('no memory'), data)
      }
    },
  }
})

const folder = mkdtempSync(join(tmpdir(), 'keepfirst-pages-'))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), 'a page')
writeFileSync(
  join(folder, 'render.js'),
  `export const SITE = { home: { path: '/', file: 'index.html' }, missing: { path: null, file: 'index.html' } }
   export const renderPage = (name, html) => html + ' of ' + name`,
)
afterAll(() => rmSync(folder, { recursive: true }))

let server: FastifyInstance
beforeEach(async () => {
  const facts = { baseUrl: 'http://localhost', contact: null, legalUrl: null, stored: [] }
  server = Fastify()
  await server.register(pages({ folder, description: {}, facts }))
})
afterEach(() => server.close())

describe.each([
  { path: '/', status: 200, text: 'a page of home' },
  { path: '/nowhere', status: 404, text: 'a page of missing' },
])('GET $path', ({ path, status, text }) => {
  const get = async (): Promise<unknown> => {
    const { statusCode, body } = await server.inject(path)
    return statusCode === status ? body : statusCode
  }

  test('concurrent first requests get the page', async () => {
    expect(await Promise.all([get(), get(), get()])).toEqual([text, text, text])
  })

  test('a page that could not be made is made for the next request', async () => {
    faults.compressions = 1
    expect(await Promise.all([get(), get()])).toEqual([500, 500])
    expect(await get()).toBe(text)
  })
})
