import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import staticFiles from '@fastify/static'
import type { SiteFacts } from '@keepfirst/protocol'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'

export interface PagesOptions {
  /** Where the pages were built. */
  readonly folder: string
  /** The OpenAPI description, served at `/api/openapi.json`. */
  readonly description: object
  readonly facts: SiteFacts
}

/**
 * Serves the pages and their assets. Files under `/assets/` are named by their content and can be cached for ever;
 * pages are revalidated each time by their ETag.
 */
export function pages({ folder, description, facts }: PagesOptions): FastifyPluginAsync {
  return async (server) => {
    await server.register(staticFiles, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
      index: false,
    })
    for (const { path, page } of await renderPages(folder, facts)) {
      if (path === null) {
        server.setNotFoundHandler(async (request, reply) => {
          reply.code(404).header('cache-control', 'no-store')
          return sendPage(page, request, reply)
        })
      } else {
        server.get(path, async (request, reply) => {
          reply.headers({ 'cache-control': 'no-cache', etag: page.etag })
          if (request.headers['if-none-match']?.includes(page.etag)) return reply.code(304).send()
          return sendPage(page, request, reply)
        })
      }
    }
    server.get('/app', async (_request, reply) => reply.redirect('/app/keys'))
    // Tools on other origins may read the description.
    server.get('/api/openapi.json', async (_request, reply) => {
      reply.headers({ 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' })
      return description
    })
  }
}

/** A finished page in every content coding. */
interface Page {
  readonly etag: string
  readonly codings: { readonly br: Buffer; readonly gzip: Buffer; readonly identity: Buffer }
}

/** The module from the build that renders the pages. */
interface Renderer {
  readonly SITE: { readonly [name: string]: { readonly path: string | null; readonly file: string } }
  renderPage(name: string, html: string, facts: SiteFacts): string
}

/** Renders the pages once: what they say about this server does not change while it runs. */
async function renderPages(folder: string, facts: SiteFacts) {
  const { SITE, renderPage }: Renderer = await import(pathToFileURL(join(folder, 'render.js')).href)
  return Promise.all(
    Object.entries(SITE).map(async ([name, { path, file }]) => {
      const html = renderPage(name, await readFile(join(folder, file), 'utf8'), facts)
      return { path, page: await compressed(Buffer.from(html)) }
    }),
  )
}

/** This quality takes a few milliseconds per page; the best one would delay the start to save one percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

async function compressed(identity: Buffer): Promise<Page> {
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(identity, BROTLI), promisify(gzip)(identity)])
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22)
  // Weak, because the page is the same in every coding (RFC 9110, 8.8.1).
  return { etag: `W/"${hash}"`, codings: { br, gzip: zipped, identity } }
}

function sendPage({ codings }: Page, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const coding = negotiate(request.headers['accept-encoding'] ?? '', ['br', 'gzip', 'identity']) ?? 'identity'
  reply.type('text/html; charset=utf-8').header('vary', 'accept-encoding')
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.send(codings[coding])
}
