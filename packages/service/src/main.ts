import { commandLine } from './command-line.ts'
import { Complaint } from './complaint.ts'

/*
 * Runs the command line. Exit codes: 0 done, 1 could not be done (one line on standard error says why),
 * 2 a local command was called wrongly.
 */
try {
  await commandLine().parseAsync()
} catch (error) {
  // What the operator can mend is said in one line; anything else is ours and keeps its trace.
  process.stderr.write(
    `keepfirst: ${error instanceof Complaint ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  )
  process.exitCode = 1
}
