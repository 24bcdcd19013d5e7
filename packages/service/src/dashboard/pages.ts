import { join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'

const PAGES = [
  { path: '/', file: 'index.html' },
  { path: '/api', file: 'api/index.html' },
  { path: '/app/keys', file: 'app/keys/index.html' },
] as const

/**
 * Serves the built pages and what they load. Files under `/assets/` are named by their content and may be
 * kept for ever; a page is asked for again each time and told apart by its ETag.
 * @param folder where the pages were built
 * @param description the interface description, served at `/api/openapi.json`
 */
export function pages(folder: string, description: object): FastifyPluginAsync {
  return async (server) => {
    await server.register(staticFiles, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
      index: false,
    })
    for (const { path, file } of PAGES) {
      server.get(path, async (_request, reply) => {
        reply.header('cache-control', 'no-cache')
        return reply.sendFile(file, folder, { cacheControl: false })
      })
    }
    server.setNotFoundHandler(async (_request, reply) => {
      reply.code(404).header('cache-control', 'no-store')
      return reply.sendFile('404.html', folder, { cacheControl: false })
    })
    server.get('/app', async (_request, reply) => reply.redirect('/app/keys'))
    // Tools of other origins may read the description.
    server.get('/api/openapi.json', async (_request, reply) => {
      reply.headers({ 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' })
      return description
    })
  }
}
