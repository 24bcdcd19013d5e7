import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { refuse } from '@keepfirst/protocol'
import type { FastifyInstance } from 'fastify'
import type { PagesParts } from './pages.ts'

/**
 * The pages, loaded on the first request for one: their libraries take longer to load than everything else, and an API
 * without visitors never needs them.
 */
export class LazyPages {
  readonly #parts: PagesParts
  #opening: Promise<FastifyInstance> | undefined

  constructor(parts: PagesParts) {
    this.#parts = parts
  }

  readonly serve: RequestListener = (request, response) => void this.#serve(request, response)

  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined)
    await opened?.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const pages = await this.#open()
      pages.routing(request, response)
    } catch (error) {
      this.#parts.log.error({ err: error }, 'the pages could not be opened')
      const { status, body } = refuse.internal()
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    }
  }

  #open(): Promise<FastifyInstance> {
    this.#opening ??= import('./pages.ts').then(({ openPages }) => openPages(this.#parts))
    const opening = this.#opening
    // The next request tries again.
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined
    })
    return opening
  }
}
