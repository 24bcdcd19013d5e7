import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { MessagePort } from 'node:worker_threads'
import { type ShouldStop, Stopped } from '@keepfirst/engine'
import type { Mode, Refusal } from '@keepfirst/protocol'
import * as piscina from 'piscina'
import { transferableSymbol, valueSymbol } from 'piscina'
import type { Ran } from '../requests/call.ts'
import type { Parsed } from '../requests/steps/parse.ts'

/*
 * The side of a worker thread. An exact request is one task with a pause in it: it parses, tells what it
 * found, and runs when word comes that it was admitted. Meanwhile the thread serves other tasks.
 */

export interface ExactTask {
  readonly body: ArrayBuffer
  readonly stop: SharedArrayBuffer
  /** Carries {@link Found} one way and {@link Word} the other. */
  readonly port: MessagePort
}

export type FuzzyTask = Omit<ExactTask, 'port'>

/** What a thread tells of an exact request that it parsed. */
export type Found = Pick<Parsed, 'mode' | 'rows'> & { readonly kind: 'found' }

/** What a thread is told then. */
export type Word = 'run' | 'discard'

export type RunOutcome = Ran | { readonly kind: 'stopped' }

export type ExactOutcome =
  | RunOutcome
  | Refusal
  | { readonly kind: 'discarded' }
  /** Fuzzy work is for other threads: the body goes back. */
  | { readonly kind: 'fuzzy'; readonly mode: Mode; readonly rows: number; readonly body: ArrayBuffer }

/** The tasks of a worker thread, over a way to parse. An outcome may be wrapped so that its bytes move and are not copied. */
export interface Tasks {
  exact(task: ExactTask): Promise<ExactOutcome | Moved<ExactOutcome>>
  fuzzy(task: FuzzyTask): RunOutcome | Moved<RunOutcome>
}

interface Moved<Outcome> {
  readonly [transferableSymbol]: object
  readonly [valueSymbol]: Outcome & object
}

export function tasksWith(parse: (body: ArrayBuffer) => Parsed | Refusal): Tasks {
  return {
    async exact({ body, stop, port }) {
      const parsed = parse(body)
      if (parsed.kind === 'refusal') return parsed
      const { mode, rows } = parsed
      if (parsed.fuzzy) return move({ kind: 'fuzzy', mode, rows, body }, body)
      const found: Found = { kind: 'found', mode, rows }
      port.postMessage(found)
      const [word]: readonly Word[] = await once(port, 'message')
      return word === 'run' ? run(parsed, stop) : { kind: 'discarded' }
    },
    fuzzy({ body, stop }) {
      const parsed = parse(body)
      if (parsed.kind === 'refusal') throw new Error('a body that was valid is not when it is read again')
      return run(parsed, stop)
    },
  }
}

function run(parsed: Parsed, stop: SharedArrayBuffer): RunOutcome | Moved<RunOutcome> {
  try {
    const ran = parsed.run(shouldStop(stop), randomInt(2 ** 32))
    return move(ran, ran.body.buffer)
  } catch (error) {
    if (error instanceof Stopped) return { kind: 'stopped' }
    throw error
  }
}

/** Long work asks this a few times a second; {@link raise} answers from another thread. */
function shouldStop(stop: SharedArrayBuffer): ShouldStop {
  const flag = new Int32Array(stop)
  return () => Atomics.load(flag, 0) !== 0
}

/** Lowered; work that holds it goes on. */
export function stopFlag(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
}

/** Tells work that holds this flag to stop, in whichever thread it runs. */
export function raise(stop: SharedArrayBuffer): void {
  Atomics.store(new Int32Array(stop), 0, 1)
}

function move<Outcome extends object>(outcome: Outcome, bytes: ArrayBufferLike): Moved<Outcome> {
  const moved = { [transferableSymbol]: bytes, [valueSymbol]: outcome }
  piscina.move(moved)
  return moved
}
