import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { problem } from './answers.ts'

/**
 * Files that are generated while they are sent: one at a time per account, and each piece is read only after the
 * client's socket has taken the previous one.
 */
export class Exports {
  readonly #underWay = new Set<string>()

  /**
   * Sends a file, unless the account's previous one is still being sent.
   * @param name the file name for the browser
   * @param pieces its content; ended early when the client disconnects
   */
  send(reply: FastifyReply, accountId: string, { name, type, pieces }: ExportFile): unknown {
    if (this.#underWay.has(accountId)) return problem(reply, 'export under way')
    this.#underWay.add(accountId)
    // With a high-water mark of 0 the stream reads a piece only when it is needed.
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
