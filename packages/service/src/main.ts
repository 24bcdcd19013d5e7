import { commandLine } from './command-line.ts'
import { Complaint } from './complaint.ts'
import { printAside, ReaderGone } from './print.ts'

/** As a shell shows it of any program that a broken pipe ends: 128 and the signal's number. */
const BROKEN_PIPE = 141

/*
 * Runs the command line. Exit codes: 0 done, 1 could not be done (one line on standard error says why),
 * 2 a local command was called wrongly, 141 whoever read the output has gone.
 */
try {
  await commandLine().parseAsync()
} catch (fault) {
  const isReaderGone = fault instanceof ReaderGone
  process.exitCode = isReaderGone ? BROKEN_PIPE : 1
  if (!isReaderGone) printAside(`keepfirst: ${words(fault)}\n`)
}

/** What the user can mend is said in one line; anything else is ours and keeps its trace. */
function words(fault: unknown): string {
  if (fault instanceof Complaint) return fault.message
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
}
