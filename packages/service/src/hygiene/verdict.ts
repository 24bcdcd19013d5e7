import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EmailVerdict, Reason, ValidateAnswer, ValidateSummary } from '@keepfirst/protocol'
import type { Presence } from './attempt.ts'
import type { IsDisposable } from './disposable.ts'
import type { AskOptions, MxLookUps } from './mx.ts'
import { isRole } from './role.ts'
import { type Mailbox, parseAddress } from './syntax.ts'

/** Addresses that are looked at before others get a turn of the event loop; the dearest takes 0.05 ms. */
const ADDRESSES_A_TURN = 100

/** What verdicts rest on. */
export interface Hygiene {
  readonly isDisposable: IsDisposable
  readonly mx: Pick<MxLookUps, 'open'>
}

/**
 * Judges addresses (specification 2.6): one verdict each, in their order, repeated ones too; a domain is looked
 * up once. Takes no more than the deadline and a moment, and never a long turn of the event loop.
 * Rejects with the reason of `hungUp` once that aborts.
 */
export async function judge(emails: readonly string[], hygiene: Hygiene, ask: AskOptions): Promise<ValidateAnswer> {
  const questions = hygiene.mx.open(ask)
  const mailboxes = await inTurns(emails, (email) => {
    const mailbox = parseAddress(email)
    if (mailbox) questions.ask(mailbox.domain)
    return mailbox
  })
  const presence = await questions.answers()
  const results = await inTurns(emails, (email, i) => {
    const mailbox = mailboxes[i]
    return mailbox ? verdictOf(email, mailbox, hygiene, presence.get(mailbox.domain) ?? null) : badSyntax(email)
  })
  return { results, summary: summaryOf(results) }
}

/** Maps a long list a part at a time, with a turn of the event loop for others in between. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  each: (item: Item, i: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [i, item] of items.entries()) {
    if (i % ADDRESSES_A_TURN === ADDRESSES_A_TURN - 1) await nextTurn()
    results.push(each(item, i))
  }
  return results
}

function badSyntax(email: string): EmailVerdict {
  return { email, valid: false, reason: 'syntax', mx: null, disposable: false, role: false }
}

function verdictOf(email: string, { local, domain }: Mailbox, hygiene: Hygiene, mx: Presence): EmailVerdict {
  const disposable = hygiene.isDisposable(domain)
  const reason = reasonOf(disposable, mx)
  return { email, valid: reason === 'ok', reason, mx, disposable, role: isRole(local) }
}

/** Only an absence that DNS stated counts: a look-up that failed says nothing about the address. */
function reasonOf(disposable: boolean, mx: Presence): Reason {
  if (disposable) return 'disposable'
  return mx === false ? 'no_mx' : 'ok'
}

function summaryOf(results: readonly EmailVerdict[]): ValidateSummary {
  const count = (is: (verdict: EmailVerdict) => boolean) =>
    results.reduce((sum, verdict) => sum + Number(is(verdict)), 0)
  const valid = count((verdict) => verdict.valid)
  return {
    total: results.length,
    valid,
    invalid: results.length - valid,
    disposable: count((verdict) => verdict.disposable),
    role: count((verdict) => verdict.role),
  }
}

/** The answer as the bytes of its JSON, made a part at a time too. Lone surrogates leave as escapes, as they came. */
export async function encodeAnswer({ results, summary }: ValidateAnswer): Promise<Uint8Array> {
  const parts: Buffer[] = []
  for (let from = 0; from < results.length; from += ADDRESSES_A_TURN) {
    const part = JSON.stringify(results.slice(from, from + ADDRESSES_A_TURN)).slice(1, -1)
    parts.push(Buffer.from(from === 0 ? part : `,${part}`))
    await nextTurn()
  }
  return Buffer.concat([Buffer.from('{"results":['), ...parts, Buffer.from(`],"summary":${JSON.stringify(summary)}}`)])
}
