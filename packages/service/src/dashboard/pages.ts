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
    for (const { path, rendered } of await openSite(folder, facts)) {
      if (path === null) {
        server.setNotFoundHandler(async (request, reply) => {
          const page = await rendered()
          reply.code(404).headers({ 'cache-control': 'no-store', vary: 'accept-encoding' })
          return sendPage(page, request, reply)
        })
      } else {
        server.get(path, async (request, reply) => {
          const page = await rendered()
          reply.headers({ 'cache-control': 'no-cache', etag: page.etag, vary: 'accept-encoding' })
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

/**
 * The pages of the site. Each is rendered on the first request for it, and kept: what it says about this server does not
 * change while it runs. All files are read at once, so that they belong to one build.
 */
async function openSite(folder: string, facts: SiteFacts) {
  const { SITE, renderPage }: Renderer = await import(pathToFileURL(join(folder, 'render.js')).href)
  return Promise.all(
    Object.entries(SITE).map(async ([name, { path, file }]) => {
      const html = await readFile(join(folder, file), 'utf8')
      let page: Promise<Page> | undefined
      const rendered = (): Promise<Page> => {
        page ??= compressed(Buffer.from(renderPage(name, html, facts))).catch((error: unknown) => {
          page = undefined // the next request tries again
          throw error
        })
        return page
      }
      return { path, rendered }
    }),
  )
}

/** This quality takes a few milliseconds per page; the best one would delay its first visitor to save one percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

async function compressed(identity: Buffer): Promise<Page> {
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(identity, BROTLI), promisify(gzip)(identity)])
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22)
  // Weak, because the page is the same in every coding (RFC 9110, 8.8.1).
  return { etag: `W/"${hash}"`, codings: { br, gzip: zipped, identity } }
}

function sendPage({ codings }: Page, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const coding = negotiate(request.headers['accept-encoding'] ?? '', ['br', 'gzip', 'identity']) ?? 'identity'
  reply.type('text/html; charset=utf-8')
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.send(codings[coding])
}
