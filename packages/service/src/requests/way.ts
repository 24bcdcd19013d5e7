import { isRefusal, type Refusal, refuse } from '@keepfirst/protocol'
import type { CallMode, Ticket } from '../store/store.ts'
import type { Call, Client, Reply } from './call.ts'
import { type Caller, queueName } from './caller.ts'
import type { Desk } from './desk.ts'
import { admit } from './steps/admit.ts'
import { readBody } from './steps/body.ts'
import { identify } from './steps/caller.ts'
import { Record } from './steps/record.ts'

/** A request that has been parsed and waits for its admission. Ends by exactly one of `run` and `discard`. */
export interface Work {
  readonly kind: 'job'
  readonly mode: CallMode
  readonly rows: number
  readonly units: number
  run(): Promise<Done | 'busy' | 'too long'>
  discard(): void
}

/** An answer's body, and how many items were dropped (null where that has no meaning). */
export interface Done {
  readonly kind: 'ran'
  readonly body: Uint8Array
  readonly removed: number | null
}

/** What one endpoint adds to the way that all share. */
export interface Endpoint<Job extends Work> {
  readonly path: string
  /** The mode of every call, where it does not depend on the body. */
  readonly mode: CallMode | null
  /** May this caller come at all? */
  greet(caller: Caller): Refusal | undefined
  /** Parses, and validates whatever does not depend on the caller. */
  open(body: ArrayBuffer, client: Client): Promise<Job | Refusal | 'busy'>
  /** Validates what does depend on the caller. */
  permit(job: Job, caller: Caller): Refusal | undefined
}

/**
 * The way of a request, in the order of specification 4.1: caller, body, parse, price, admit, run. The first
 * step that refuses ends it, and nothing after that step runs.
 */
export function wayOf<Job extends Work>(endpoint: Endpoint<Job>, desk: Desk): (call: Call) => Promise<Reply> {
  return async (call) => {
    const record = new Record(endpoint, desk)
    try {
      const caller = await identify(call, desk) //                  401
      if (isRefusal(caller)) return record.refused(caller)
      record.caller = caller
      const job = await openJob(endpoint, call, caller) //          401 413 400 503
      if (isRefusal(job)) return record.refused(job)
      record.job = job
      const ticket = await admitJob(endpoint, job, caller, desk) // 403 413 429
      if (isRefusal(ticket)) {
        job.discard()
        return record.refused(ticket)
      }
      record.ticket = ticket
      const done = await job.run() //              503
      if (done === 'busy') return await record.givenBack(refuse.busy())
      if (done === 'too long') return await record.givenBack(refuse.fuzzyTooLong())
      return record.answered(done)
    } catch (error) {
      return await record.failed(error)
    }
  }
}

/** Steps 2 and 3: a body within the plan's cap, and what it asks for. */
async function openJob<Job extends Work>(endpoint: Endpoint<Job>, call: Call, caller: Caller): Promise<Job | Refusal> {
  const unwelcome = endpoint.greet(caller)
  if (unwelcome) return unwelcome
  const body = await readBody(call, caller.plan)
  if (isRefusal(body)) return body
  const job = await endpoint.open(body, { caller: queueName(caller), hungUp: call.hungUp })
  return job === 'busy' ? refuse.busy() : job
}

/** The end of step 3, and steps 4 to 6: what this caller may ask for, can pay, and pays. */
async function admitJob<Job extends Work>(
  endpoint: Endpoint<Job>,
  job: Job,
  caller: Caller,
  desk: Desk,
): Promise<Ticket | Refusal> {
  const forbidden = endpoint.permit(job, caller)
  if (forbidden) return forbidden
  if (job.units > caller.plan.unitsPerRequest) return refuse.tooManyUnits(caller.plan, job.units)
  return admit(job, caller, desk)
}
