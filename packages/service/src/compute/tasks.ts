import { randomBytes } from 'node:crypto'
import { type RequestAnswer, runRequest, SEED_BYTES, Stopped } from '@keepfirst/engine/request'
import * as piscina from 'piscina'
import { transferableSymbol, valueSymbol } from 'piscina'
import { createShouldStop } from './control.ts'
import type { parseEmails } from './parse-emails.ts'
import type { ParsedRequest, parseRequest } from './parse-request.ts'

/* The worker's side: one task per message, and no state in between. Buffers are transferred, not copied. */

/** One seed per thread, never exposed. */
const seed = randomBytes(SEED_BYTES)

export interface RunTask {
  readonly request: ParsedRequest
  /** For fuzzy work, which may take a long time. */
  readonly control?: SharedArrayBuffer
}

/** The answer to a deduplication: the complete JSON body, and what the ledger needs to know. */
export interface RunResult extends RequestAnswer {
  readonly kind: 'ran'
}

export type RunOutcome = RunResult | { readonly kind: 'stopped' }

/** What a thread can do; tests substitute their own. */
export interface Work {
  readonly parseRequest: typeof parseRequest
  readonly runRequest: typeof runRequest
  readonly parseEmails: typeof parseEmails
}

/** The tasks of a worker thread. Results may be wrapped for piscina, which unwraps them. */
export interface Tasks {
  parse(body: Uint8Array<ArrayBuffer>): ReturnType<Work['parseRequest']> | Moved
  emails(body: Uint8Array<ArrayBuffer>): ReturnType<Work['parseEmails']>
  run(task: RunTask): RunOutcome | Moved
}

interface Moved {
  readonly [transferableSymbol]: object
  readonly [valueSymbol]: object
}

/** The tasks of a thread that can do this work; a result's buffer is moved to the main thread, not copied. */
export function createTasks({ parseRequest, runRequest, parseEmails }: Work): Tasks {
  return {
    parse(body) {
      const parsed = parseRequest(body)
      return parsed.kind === 'refusal' ? parsed : move(parsed, parsed.data.bytes.buffer)
    },
    emails: (body) => parseEmails(body),
    run({ request, control }) {
      try {
        const shouldStop = control === undefined ? {} : { shouldStop: createShouldStop(control) }
        const answer = runRequest(request.data, request.question, { seed, ...shouldStop })
        return move({ kind: 'ran', ...answer }, answer.body.buffer)
      } catch (error) {
        if (error instanceof Stopped) return { kind: 'stopped' }
        throw error
      }
    },
  }
}

/** Deduplicates in this thread. */
export function runInline({ data, question }: ParsedRequest): RunResult {
  return { kind: 'ran', ...runRequest(data, question, { seed }) }
}

function move(outcome: object, bytes: ArrayBuffer): Moved {
  const moved = { [transferableSymbol]: bytes, [valueSymbol]: outcome }
  piscina.move(moved)
  return moved
}
