import { type Refusal, refuse } from '@keepfirst/protocol'
import { ClientDisconnected } from '../../client-connection.ts'
import type { Completion, Ticket } from '../../store/store.ts'
import type { Reply } from '../call.ts'
import type { Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import type { Billable, Done, Endpoint } from '../endpoint.ts'

/** The status in the log for a client that disconnected before it had its answer. */
const DISCONNECTED = 499

/** The beginning of a call. */
interface Begun {
  readonly requestId: string
  /** Milliseconds since 1970 UTC. */
  readonly at: number
  readonly monotonicMs: number
}

/** A call for which nothing has been charged yet. */
interface UnchargedCall {
  readonly begun: Begun
  readonly caller?: Caller
  readonly parsed?: Billable
  readonly ticket?: undefined
}

interface ChargedCall {
  readonly begun: Begun
  readonly caller: Caller
  readonly parsed: Billable
  readonly ticket: Ticket
}

/** What is known about a call so far; the pipeline adds what each step finds out. */
export type CallSoFar = UnchargedCall | ChargedCall

/** The ends of a call: each records it once and returns the answer. */
export interface Recorder {
  begin(requestId: string): Begun
  /** A step refused before anything was charged. */
  refused(call: UnchargedCall, refusal: Refusal): Refusal
  /** The work is done. This does not wait for the ledger, since the units were charged at admission. */
  answered(call: ChargedCall, done: Done): Reply
  /** The service could not do the work that was paid for: the units are refunded before the refusal is sent. */
  refunded(call: ChargedCall, refusal: Refusal): Promise<Refusal>
  /** The client disconnected before its charge was committed, so the charge is refunded. */
  withdrawn(call: ChargedCall): Promise<Reply>
  /** An error was thrown: the client disconnected (after admission its units stay charged), or a fault of ours. */
  failed(call: CallSoFar, error: unknown): Promise<Reply>
}

/**
 * The last step: records what has become known about a call. Only calls whose key was verified are recorded, and only
 * their metadata (specification 1.6).
 */
export function createRecorder({ path, mode }: Pick<Endpoint<never>, 'path' | 'mode'>, context: Context): Recorder {
  const { store, now, monotonicMs, log } = context

  const completion = ({ begun }: CallSoFar, status: number, removed: number | null = null): Completion => {
    return { status, removed, durationMs: Math.round(monotonicMs() - begun.monotonicMs) }
  }
  const observe = (call: CallSoFar, status: number, { units = 0, refusal }: Observed = {}): void => {
    const { requestId } = call.begun
    const { durationMs } = completion(call, status)
    const error = refusal === undefined || status < 500 ? {} : { error: refusal.body.error }
    context.observe({ requestId, path, plan: call.caller?.plan.name ?? 'unknown', status, units, durationMs, ...error })
  }
  const endUncharged = (call: UnchargedCall, status: number, refusal?: Refusal): void => {
    observe(call, status, { refusal })
    const { begun, caller, parsed } = call
    if (caller?.kind !== 'keyed') return
    const { durationMs } = completion(call, status)
    const known = { mode: parsed?.mode ?? mode, rows: parsed?.rows ?? null }
    store.recordRefusal({ holder: caller.holder, at: begun.at, ...known, status, durationMs })
  }
  const complete = (call: ChargedCall, status: number, removed: number | null): void => {
    store.complete(call.ticket, completion(call, status, removed))
    observe(call, status, { units: call.parsed.units })
  }
  const refund = async (call: ChargedCall, status: number, refusal?: Refusal): Promise<void> => {
    await store.refund(call.ticket, completion(call, status))
    observe(call, status, { refusal })
  }

  const recorder: Recorder = {
    begin: (requestId) => ({ requestId, at: now(), monotonicMs: monotonicMs() }),
    refused(call, refusal) {
      endUncharged(call, refusal.status, refusal)
      return refusal
    },
    answered(call, { body, removed }) {
      complete(call, 200, removed)
      return { kind: 'result', body }
    },
    async refunded(call, refusal) {
      await refund(call, refusal.status, refusal)
      return refusal
    },
    async withdrawn(call) {
      await refund(call, DISCONNECTED)
      return { kind: 'none' }
    },
    async failed(call, error) {
      const isCharged = call.ticket !== undefined
      if (error instanceof ClientDisconnected) {
        if (isCharged) complete(call, DISCONNECTED, null)
        else endUncharged(call, DISCONNECTED)
        return { kind: 'none' }
      }
      log.error({ err: error, requestId: call.begun.requestId, path }, 'a request failed')
      return isCharged ? await recorder.refunded(call, refuse.internal()) : recorder.refused(call, refuse.internal())
    },
  }
  return recorder
}

interface Observed {
  /** Units that remain charged. */
  readonly units?: number
  readonly refusal?: Refusal | undefined
}
