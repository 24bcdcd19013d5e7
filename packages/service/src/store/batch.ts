import { unreachable } from '@keepfirst/protocol'
import {
  completeEvent,
  countRefusals,
  type Entry,
  giveDay,
  giveMonth,
  type Outcome,
  takeDay,
  takeMonthAndSlot,
  touchKey,
  writeRefusal,
} from './books.ts'
import { dayOf } from './periods.ts'
import { type InstanceMemory, Slots } from './slots.ts'
import type { Steps } from './steps.ts'
import type { RefusedCall } from './store.ts'

/**
 * Entries that one transaction applies, in phases. What stands beside each other in a phase has no row in
 * common and may run at the same time, if it is begun in its order; the phases run one after another.
 *
 * Rows that instances share are held in one order: counters by account and by client, then sums of days,
 * then keys. So two transactions wait for each other and not in a circle.
 */
export class Batch {
  /** Each at the position of its entry. */
  readonly outcomes: Outcome[] = []
  readonly #entries: readonly Entry[]
  readonly #slots: Slots
  /** Calls that were refused alike and are not stored singly, by what they have in common. */
  readonly #counted = new Map<string, RefusedCall[]>()

  constructor(entries: readonly Entry[], memory: InstanceMemory) {
    this.#entries = entries
    this.#slots = new Slots(memory)
  }

  *phases(): Generator<readonly Steps<void>[], void, void> {
    yield this.#charges()
    yield this.#records()
    yield this.#refusalSums()
    yield this.#lastUses()
  }

  /** Undoes in memory what a rollback undoes in the database. */
  giveBack(): void {
    this.#slots.giveBack()
  }

  /** Charges and refunds: those of one account or client in the order in which they came. */
  #charges(): readonly Steps<void>[] {
    const lanes = new Map<string, Placed<MoneyEntry>[]>()
    for (const [position, entry] of this.#entries.entries()) {
      if (entry.kind === 'completion' || entry.kind === 'refusal') continue
      const lane = lanes.get(counterOf(entry)) ?? []
      lane.push({ position, entry })
      lanes.set(counterOf(entry), lane)
    }
    return inOrderOfNames(lanes).map((lane) => this.#inOrder(lane))
  }

  *#inOrder(lane: readonly Placed<MoneyEntry>[]): Steps<void> {
    for (const { position, entry } of lane) this.outcomes[position] = yield* chargeOf(entry, this.#slots)
  }

  /** What is only noted. */
  #records(): readonly Steps<void>[] {
    const records: Steps<void>[] = []
    for (const [position, entry] of this.#entries.entries()) {
      if (entry.kind !== 'completion' && entry.kind !== 'refusal') continue
      if (entry.kind === 'completion') records.push(completeEvent(entry.ticket, entry.ending))
      else if (this.#slots.takeRefusal(entry.call.holder.keyId, entry.call.at)) records.push(writeRefusal(entry.call))
      else this.#count(entry.call)
      this.outcomes[position] = { outcome: 'written' }
    }
    return records
  }

  #count(call: RefusedCall): void {
    const { accountId, keyId } = call.holder
    const name = JSON.stringify([accountId, dayOf(call.at), keyId, call.mode, call.status])
    this.#counted.set(name, [...(this.#counted.get(name) ?? []), call])
  }

  #refusalSums(): readonly Steps<void>[] {
    return inOrderOfNames(this.#counted).map(countRefusals)
  }

  /** When each key was last used. */
  #lastUses(): readonly Steps<void>[] {
    const lastUses = new Map<string, Use>()
    for (const use of this.#entries.flatMap(usesOf)) {
      const known = lastUses.get(use.keyId)
      if (known === undefined || known.at < use.at) lastUses.set(use.keyId, use)
    }
    return inOrderOfNames(lastUses).map(({ keyId, at }) => touchKey(keyId, at))
  }
}

type MoneyEntry = Exclude<Entry, { kind: 'completion' | 'refusal' }>

interface Placed<E extends Entry> {
  readonly position: number
  readonly entry: E
}

interface Use {
  readonly keyId: string
  readonly at: number
}

/** Names the counter that an entry moves. */
function counterOf(entry: MoneyEntry): string {
  switch (entry.kind) {
    case 'charge':
      return `account ${entry.charge.holder.accountId}`
    case 'keyless charge':
      return `client ${entry.charge.client}`
    case 'refund':
      return entry.ticket.kind === 'keyed' ? `account ${entry.ticket.accountId}` : `client ${entry.ticket.client}`
    default:
      return unreachable(entry)
  }
}

function chargeOf(entry: MoneyEntry, slots: Slots): Steps<Outcome> {
  switch (entry.kind) {
    case 'charge':
      return takeMonthAndSlot(entry.charge, slots)
    case 'keyless charge':
      return takeDay(entry.charge)
    case 'refund':
      return entry.ticket.kind === 'keyed' ? giveMonth(entry.ticket, entry.ending) : giveDay(entry.ticket)
    default:
      return unreachable(entry)
  }
}

function usesOf(entry: Entry): readonly Use[] {
  if (entry.kind === 'charge') return [{ keyId: entry.charge.holder.keyId, at: entry.charge.at }]
  if (entry.kind === 'refusal') return [{ keyId: entry.call.holder.keyId, at: entry.call.at }]
  return []
}

function inOrderOfNames<T>(named: ReadonlyMap<string, T>): readonly T[] {
  return [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)
}
