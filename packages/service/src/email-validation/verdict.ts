import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EmailVerdict, Reason, ValidateSummary } from '@keepfirst/protocol'
import type { IsDisposable } from './disposable.ts'
import type { MxPresence } from './mx-client.ts'
import type { AskOptions, MxResolver } from './mx-resolver.ts'
import { isRole } from './role.ts'
import { parseAddress } from './syntax.ts'

/** Addresses are judged for this long per turn of the event loop, then the next requests get theirs. */
const TURN_MS = 1
/** Addresses judged between looks at the clock: most take 0.002 ms, the most expensive 0.6 ms. */
const ADDRESSES_AT_ONCE = 10
/** Bytes of an answer joined per turn of the event loop. */
const BYTES_A_TURN = 262_144

/** An array of addresses, or an object that can be read like one. */
export type Addresses = Pick<readonly string[], 'length' | 'slice'>

/** What verdicts are based on. */
export interface ValidationSources {
  readonly isDisposable: IsDisposable
  readonly mx: Pick<MxResolver, 'open'>
}

/**
 * Judges addresses (specification 2.6) and returns the JSON answer as bytes: one verdict per address, in order,
 * including repeated ones; each domain is looked up once. Takes little more than the deadline and never holds the event
 * loop for long.
 *
 * Addresses are parsed a second time for their verdicts, and verdicts are kept only until they are written: whatever a
 * large request keeps alive in between would have to be copied by the garbage collector, which holds the event loop for
 * longer.
 * @throws ClientDisconnected when the signal aborts (its reason)
 * @throws ResolverStopped when the server stops
 */
export async function judge(
  emails: Addresses,
  sources: ValidationSources,
  ask: AskOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const questions = sources.mx.open(ask)
  for await (const part of inTurns(emails)) {
    for (const email of part) {
      const mailbox = parseAddress(email)
      if (mailbox) questions.ask(mailbox.domain)
    }
  }
  const presence = await questions.answers()
  const answer = new AnswerWriter()
  for await (const part of inTurns(emails)) {
    answer.add(part.map((email) => verdictOf(email, sources.isDisposable, presence)))
  }
  return answer.end()
}

/** A long list in parts, yielding to the event loop in between. */
async function* inTurns(emails: Addresses): AsyncGenerator<readonly string[]> {
  let since = performance.now()
  for (let from = 0; from < emails.length; from += ADDRESSES_AT_ONCE) {
    if (performance.now() - since > TURN_MS) {
      await nextTurn()
      since = performance.now()
    }
    yield emails.slice(from, from + ADDRESSES_AT_ONCE)
  }
}

function verdictOf(email: string, isDisposable: IsDisposable, presence: ReadonlyMap<string, MxPresence>): EmailVerdict {
  const mailbox = parseAddress(email)
  if (!mailbox) return { email, valid: false, reason: 'syntax', mx: null, disposable: false, role: false }
  const mx = presence.get(mailbox.domain) ?? null
  const disposable = isDisposable(mailbox.domain)
  const reason = reasonOf(disposable, mx)
  return { email, valid: reason === 'ok', reason, mx, disposable, role: isRole(mailbox.local) }
}

/** Only an absence stated by DNS counts: a failed look-up says nothing about the address. */
function reasonOf(disposable: boolean, mx: MxPresence): Reason {
  if (disposable) return 'disposable'
  return mx === false ? 'no_mx' : 'ok'
}

/** Writes verdicts and totals. Lone surrogates are written as escapes, as they came. */
class AnswerWriter {
  readonly #parts: Buffer[] = []
  readonly #summary = { total: 0, valid: 0, invalid: 0, disposable: 0, role: 0 } satisfies ValidateSummary

  add(verdicts: readonly EmailVerdict[]): void {
    const list = JSON.stringify(verdicts).slice(1, -1)
    this.#parts.push(Buffer.from(this.#parts.length === 0 ? list : `,${list}`))
    for (const { valid, disposable, role } of verdicts) {
      this.#summary.total++
      this.#summary[valid ? 'valid' : 'invalid']++
      if (disposable) this.#summary.disposable++
      if (role) this.#summary.role++
    }
  }

  /** Joins everything in one buffer, a part per turn: new memory is most expensive when it is first touched. */
  async end(): Promise<Uint8Array<ArrayBuffer>> {
    const tail = `],"summary":${JSON.stringify(this.#summary)}}`
    const parts = [Buffer.from('{"results":['), ...this.#parts, Buffer.from(tail)]
    const answer = Buffer.allocUnsafe(parts.reduce((bytes, part) => bytes + part.length, 0))
    let [end, pausedAt] = [0, 0]
    for (const part of parts) {
      if (end - pausedAt > BYTES_A_TURN) {
        await nextTurn()
        pausedAt = end
      }
      answer.set(part, end)
      end += part.length
    }
    return answer
  }
}
