import { type Refusal, refuse } from '@keepfirst/protocol'
import { ClientDisconnected } from '../../packages/service/src/client-connection.ts'
import type { Call, Reply } from '../../packages/service/src/requests/call.ts'
import type { Billable, Done, Endpoint } from '../../packages/service/src/requests/endpoint.ts'
import { type Clock, sleep } from '../../packages/service/src/store/clock.ts'
import type { CallPlan } from './scenario.ts'

/** One call, and everything that is known about it when its world has ended. */
export class SimulatedCall implements Call {
  readonly plan: CallPlan
  readonly authorization: string | undefined
  readonly requestId = 'simulated'
  readonly apiKey = undefined
  readonly network: string
  readonly declaredBytes = undefined
  aborted = false
  /** How far it got. */
  wasRead = false
  wasParsed = false
  /** Whether the service has begun the billed work. */
  hasRun = false
  /** The reply of the pipeline; undefined if its process was killed before. */
  reply: Reply | undefined
  /** Whether the caller was still there to receive it. */
  wasReceived = false
  /** Its process was killed before everything was written, so that the ledger may contradict a 5xx that it received. */
  isCutOff = false
  /** How long its admission took, in virtual milliseconds. */
  admissionMs = 0
  /** Virtual time. */
  readonly arrivedAt: number
  repliedAt: number | undefined
  readonly #clock: Clock

  constructor(plan: CallPlan, { token, clock }: { readonly token: string | undefined; readonly clock: Clock }) {
    this.plan = plan
    this.authorization = token === undefined ? undefined : `Bearer ${token}`
    this.network = plan.caller.kind === 'client' ? `192.0.2.${plan.caller.client}` : '198.51.100.1'
    this.arrivedAt = clock.monotonicMs()
    this.#clock = clock
  }

  /** Not used in the simulation: the pipeline reads `aborted`. */
  get signal(): AbortSignal {
    return AbortSignal.abort()
  }

  async readBody(): Promise<Uint8Array<ArrayBuffer>> {
    await sleep(this.#clock, this.plan.uploadMs)
    if (this.aborted) throw new ClientDisconnected()
    this.wasRead = true
    return new Uint8Array()
  }

  reserveMemory(): boolean {
    return true
  }

  /** How the trace describes it. */
  get outcome(): string {
    if (this.reply === undefined) return 'nothing'
    return this.reply.kind === 'refusal' ? `${this.reply.status} ${this.reply.body.error}` : this.reply.kind
  }
}

interface Work extends Billable {
  readonly plan: CallPlan
}

/**
 * An endpoint whose calls do what their plans say. The ledger stores a call's number as its rows, so that its events
 * can be found.
 */
export function endpointFor(call: SimulatedCall, clock: Clock): Endpoint<Work> {
  const { number, units, parseMs, runMs, end } = call.plan
  return {
    path: '/api/dedupe',
    mode: null,
    authorizeCaller: () => undefined,
    async parse(): Promise<Work | Refusal> {
      await sleep(clock, parseMs)
      if (end === 'malformed') return refuse.unparseableBody()
      call.wasParsed = true
      return { kind: 'parsed', mode: 'lines', rows: number, units, heldBytes: 0, plan: call.plan }
    },
    authorizeRequest: () => undefined,
    async run(): Promise<Done | 'too long' | 'stopping'> {
      call.hasRun = true
      await sleep(clock, runMs)
      if (call.aborted) throw new ClientDisconnected()
      if (end === 'throws') throw new Error('the work failed')
      if (end === 'too long' || end === 'stopping') return end
      return { kind: 'ran', body: new Uint8Array(), removed: number }
    },
  }
}
