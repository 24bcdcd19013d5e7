import { randomFillSync } from 'node:crypto'
import { setImmediate as handleSignals } from 'node:timers/promises'
import { NoMemory, NotJson, SEED_BYTES, type Sifting, type Sink, TooLong } from '@keepfirst/engine/stream'
import { OtherHeader } from './columns.ts'
import { UserError } from './errors.ts'
import { type Input, openInputs } from './input.ts'
import { usualKeyMemory } from './key-memory.ts'
import type { Output } from './output.ts'
import { printError } from './print.ts'
import { Progress } from './progress.ts'
import { RemovedReport } from './removed.ts'
import { openReplacement, openTargets, type Target, type Targets } from './target.ts'
import { TemporarySpill } from './temporary-spill.ts'
import type { KeyChoice, Work } from './work.ts'

/** The flags that all local commands share, as commander parses them. */
export interface SharedFlags {
  readonly output?: string
  readonly removed?: string
  readonly count?: boolean
  readonly inPlace?: boolean
  readonly exact?: boolean
  /** In bytes. */
  readonly memory?: number
}

export interface Run extends Work {
  readonly files: readonly string[]
  readonly flags: SharedFlags
}

/**
 * Runs one command to completion. Files are replaced whole or not at all; anywhere else, output up to the point of
 * failure has already been written when this throws.
 * @throws UserError when the user can fix the problem
 * @throws BrokenPipe when the output has been closed
 */
export async function run(work: Run): Promise<void> {
  const { files, flags } = work
  const inputs = openInputs(files, `keepfirst ${work.mode}`)
  const targets = open(files, inputs, flags)
  const all = [targets.output, ...(targets.removed ? [targets.removed] : [])]
  const spill = new TemporarySpill()
  try {
    const deduplicator = work.deduplicator({
      sink: sinkOf(work, targets),
      random: randomFillSync(new Uint8Array(SEED_BYTES)),
      exact: flags.exact ?? false,
      keys: { memoryBytes: flags.memory ?? usualKeyMemory(), spill },
    })
    await deduplicateAll(deduplicator, inputs, all, work.key)
    if (work.key) checkKey(deduplicator, work.key, all)
    // No file is replaced before all output has been written, which may take long enough for the input to change.
    await finish(all)
    if (flags.inPlace) for (const { stats } of inputs) targets.output.draft?.checkUnchanged(stats)
    for (const { draft } of all) draft?.commit()
    if (flags.count) printError(`${JSON.stringify(counts(deduplicator, work))}\n`)
  } finally {
    spill.close()
    for (const { draft } of all) draft?.discard()
  }
}

/** Empty keys are counted when items are compared by a part of them, and reported when there are any. */
function counts(deduplicator: Sifting, { key }: Work): object {
  const { kept, removed } = deduplicator
  const emptyKeys = key?.empty(deduplicator) ?? 0
  return { kept, removed, ...(emptyKeys > 0 ? { emptyKeys } : {}) }
}

function open(files: readonly string[], inputs: readonly Input[], { output, removed, inPlace }: SharedFlags): Targets {
  if (!inPlace) return openTargets({ output, removed }, inputs)
  const [file] = files
  const [input] = inputs
  if (file === undefined || input === undefined) throw new UserError('--in-place needs a FILE')
  return openReplacement(file, input, removed)
}

/** Writes everything that remains. A signal that came meanwhile has its effect. */
async function finish(targets: readonly Target[]): Promise<void> {
  for (const { output, draft } of targets) await (draft ? draft.finish() : output.close())
  await handleSignals()
}

function sinkOf({ report: format }: Work, { output: { output }, removed }: Targets): Sink {
  const kept = (bytes: Uint8Array): void => output.write(bytes)
  if (!removed) return { kept }
  const report = new RemovedReport(format, removed.output)
  return {
    kept,
    removed: (bytes, position, survivor) => report.removed(bytes, position, survivor),
    header: (bytes) => report.header(bytes),
  }
}

async function deduplicateAll(
  deduplicator: Sifting,
  inputs: readonly Input[],
  targets: readonly Target[],
  key: KeyChoice | undefined,
): Promise<void> {
  const outputs = targets.map(({ output }) => output)
  const progress = new Progress(inputs, outputs)
  // Nothing is written until the key is known not to be a mistake.
  if (key) for (const output of outputs) output.hold()
  try {
    for (const input of inputs) {
      await deduplicateFile(deduplicator, input, async () => {
        if (key?.isMistaken()) checkKey(deduplicator, key, targets)
        else if (deduplicator.withKey > 0) for (const output of outputs) output.release()
        await settle(outputs)
        await progress.update()
      })
    }
    for (const _ of deduplicator.ending()) {
      await settle(outputs)
      await progress.update()
      // No input is waited for here, so without a turn of the event loop a signal would have no effect.
      await handleSignals()
    }
  } catch (error) {
    // On failure, results found so far are still written to pipes and devices, unless the key may be a mistake.
    if (deduplicator.withKey > 0 && !key?.isMistaken()) for (const output of outputs) output.release()
    await settle(targets.filter(({ draft }) => !draft).map(({ output }) => output))
    throw error
  } finally {
    progress.end()
  }
}

/** @throws UserError when no item has the key and items would be lost because of that */
function checkKey({ kept, removed, withKey }: Sifting, key: KeyChoice, [first]: readonly Target[]): void {
  const count = kept + removed
  const isHarmless = key.keepsEmpty ? count < 2 : removed === 0
  const isFound = withKey > 0 && !key.isMistaken()
  if (!isFound && !isHarmless) throw new UserError(key.missing(count, first?.output.held ?? new Uint8Array()))
}

async function settle(outputs: readonly Output[]): Promise<void> {
  for (const output of outputs) await output.settle()
}

async function deduplicateFile(deduplicator: Sifting, input: Input, afterChunk: () => Promise<void>): Promise<void> {
  try {
    for await (const chunk of input.chunks()) {
      deduplicator.push(chunk)
      await afterChunk()
    }
    deduplicator.endFile()
  } catch (error) {
    if (
      error instanceof TooLong ||
      error instanceof NotJson ||
      error instanceof NoMemory ||
      error instanceof OtherHeader
    )
      throw new UserError(`${input.name}: ${error.message}`)
    throw error
  }
}
