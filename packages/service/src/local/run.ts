import { randomFillSync } from 'node:crypto'
import { NotJson, SEED_BYTES, type Sifting, type Sink, type StreamOptions, TooLong } from '@keepfirst/engine/stream'
import { Complaint } from '../complaint.ts'
import { printAside } from '../print.ts'
import { type Input, openInputs } from './input.ts'
import { type Output, openOutput } from './output.ts'
import { Progress } from './progress.ts'
import { type Form, RemovedReport } from './removed.ts'
import { Replacement } from './replacement.ts'

/** The flags that all three commands share, as commander gives them. */
export interface SharedFlags {
  output?: string
  removed?: string
  count?: boolean
  inPlace?: boolean
  exact?: boolean
}

export interface Work {
  form: Form
  files: readonly string[]
  flags: SharedFlags
  /** Makes what sifts the bytes, once it is known where they go. */
  sifter(stream: StreamOptions): Sifting
}

/** Runs one command to its end. Throws `Complaint` and `ReaderGone`. */
export async function run(work: Work): Promise<void> {
  const { files, flags } = work
  const inputs = openInputs(files)
  const replacement = flags.inPlace ? replace(files, inputs) : undefined
  try {
    const taken = inputs.map(({ stats }) => ({ stats, use: 'an input' }))
    const output = replacement?.output ?? openOutput(flags.output, taken)
    const report = flags.removed === undefined ? undefined : openOutput(flags.removed, [...taken, output.taken()])
    const sifter = work.sifter({
      sink: sinkOf(work.form, output, report),
      random: randomFillSync(new Uint8Array(SEED_BYTES)),
      exact: flags.exact ?? false,
    })
    await siftAll(sifter, inputs, report ? [output, report] : [output])
    await report?.close()
    await (replacement ? replacement.commit() : output.close())
    if (flags.count) printAside(`${JSON.stringify({ kept: sifter.kept, removed: sifter.removed })}\n`)
  } finally {
    replacement?.discard()
  }
}

/** Takes the one FILE's place; nothing of it is left behind if the work ends early. */
function replace(files: readonly string[], inputs: readonly Input[]): Replacement {
  const [file] = files
  const [input] = inputs
  if (file === undefined || input === undefined) throw new Complaint('--in-place needs a FILE')
  const replacement = new Replacement(file, input)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      replacement.discard()
      // The listener is gone: now the signal does what it does to any program.
      process.kill(process.pid, signal)
    })
  }
  return replacement
}

function sinkOf(form: Form, output: Output, report: Output | undefined): Sink {
  const kept = (bytes: Uint8Array): void => output.write(bytes)
  if (!report) return { kept }
  const removed = new RemovedReport(form, report)
  return {
    kept,
    removed: (bytes, position, survivor) => removed.removed(bytes, position, survivor),
    header: (bytes) => removed.header(bytes),
  }
}

async function siftAll(sifter: Sifting, inputs: readonly Input[], outputs: readonly Output[]): Promise<void> {
  const progress = new Progress(inputs)
  try {
    for (const input of inputs) {
      await siftFile(sifter, input, async () => {
        for (const output of outputs) await output.settle()
        await progress.update()
      })
    }
    sifter.end()
  } finally {
    progress.end()
  }
}

async function siftFile(sifter: Sifting, input: Input, afterChunk: () => Promise<void>): Promise<void> {
  try {
    for await (const chunk of input.chunks()) {
      sifter.push(chunk)
      await afterChunk()
    }
    sifter.endFile()
  } catch (fault) {
    if (fault instanceof TooLong || fault instanceof NotJson) throw new Complaint(`${input.name}: ${fault.message}`)
    throw fault
  }
}
