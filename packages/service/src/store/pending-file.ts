import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Notes } from './notes.ts'
import type { Completion, Ticket } from './store.ts'

/** How one admitted request ended. */
export interface PendingEnd {
  readonly kind: 'completion' | 'refund'
  readonly ticket: Ticket
  readonly completion: Completion
}

/**
 * Keeps completions and refunds that a stop could not write, one JSON object a line, until the next start. Nothing in
 * it is secret or personal: identifiers, units and statuses.
 */
export class PendingFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** What was kept; it is kept no longer, so that nothing is given back twice. */
  take(): readonly PendingEnd[] {
    let text: string
    try {
      text = readFileSync(this.#path, 'utf8')
    } catch {
      return []
    }
    rmSync(this.#path)
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  }

  /** @throws Error it could not be written either */
  keep({ completions, refunds }: Pick<Notes, 'completions' | 'refunds'>): void {
    const ends: readonly PendingEnd[] = [
      ...completions.map(({ ticket, completion }) => ({ kind: 'completion' as const, ticket, completion })),
      ...refunds.map(({ ticket, completion }) => ({ kind: 'refund' as const, ticket, completion })),
    ]
    if (ends.length === 0) return
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
    writeFileSync(this.#path, ends.map((end) => `${JSON.stringify(end)}\n`).join(''), { mode: 0o600, flag: 'a' })
  }
}
