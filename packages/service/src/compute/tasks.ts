import { randomInt } from 'node:crypto'
import { Stopped } from '@keepfirst/engine'
import * as piscina from 'piscina'
import { transferableSymbol, valueSymbol } from 'piscina'
import { obey } from './control.ts'
import type { parseEmails } from './parse-emails.ts'
import type { ParsedRequest, parseRequest, Ran, runRequest } from './parse-request.ts'

/* The side of a worker thread: one task a message, nothing kept between two. Bytes move, they are not copied. */

export interface RunTask {
  readonly parsed: ParsedRequest
  /** Of fuzzy work, which may take long. */
  readonly control?: SharedArrayBuffer
}

export type RunOutcome = Ran | { readonly kind: 'stopped' }

/** What a thread can do, over the engine or over a test's own. */
export interface Engine {
  readonly parseRequest: typeof parseRequest
  readonly runRequest: typeof runRequest
  readonly parseEmails: typeof parseEmails
}

/** The tasks of a worker thread. Their outcomes may be wrapped for piscina, which unwraps them. */
export interface Tasks {
  parse(body: ArrayBuffer): ReturnType<Engine['parseRequest']> | Moved
  emails(body: ArrayBuffer): ReturnType<Engine['parseEmails']>
  run(task: RunTask): RunOutcome | Moved
}

interface Moved {
  readonly [transferableSymbol]: object
  readonly [valueSymbol]: object
}

export function tasksOver({ parseRequest, runRequest, parseEmails }: Engine): Tasks {
  return {
    parse(body) {
      const parsed = parseRequest(body)
      return parsed.kind === 'refusal' ? parsed : move(parsed, parsed.bytes.buffer)
    },
    emails: (body) => parseEmails(body),
    run({ parsed, control }) {
      try {
        const ran = runRequest(parsed, randomInt(2 ** 32), control === undefined ? () => false : obey(control))
        return move(ran, ran.body.buffer)
      } catch (error) {
        if (error instanceof Stopped) return { kind: 'stopped' }
        throw error
      }
    },
  }
}

function move(outcome: object, bytes: ArrayBuffer): Moved {
  const moved = { [transferableSymbol]: bytes, [valueSymbol]: outcome }
  piscina.move(moved)
  return moved
}
