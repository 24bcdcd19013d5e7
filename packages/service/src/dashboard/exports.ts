import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { problem } from './answers.ts'

/**
 * Files that are made while they are sent: one at a time of each account, and no piece of it is read before the reader's
 * socket has taken the last one.
 */
export class Exports {
  readonly #underWay = new Set<string>()

  /**
   * Sends a file, or the refusal of a second one.
   * @param name what a browser calls it
   * @param pieces ended early when the reader hangs up
   */
  send(reply: FastifyReply, accountId: string, { name, type, pieces }: ExportFile): unknown {
    if (this.#underWay.has(accountId)) return problem(reply, 'export under way')
    this.#underWay.add(accountId)
    // Whatever a stream has in hand was read too early: a mark of 0 lets it ask only when somebody takes.
    const file = Readable.from(pieces, { highWaterMark: 0 })
    file.once('close', () => this.#underWay.delete(accountId))
    reply.type(type).header('content-disposition', `attachment; filename="${name}"`)
    return reply.send(file)
  }
}

interface ExportFile {
  readonly name: string
  /** Media type. */
  readonly type: string
  readonly pieces: AsyncIterable<string>
}
