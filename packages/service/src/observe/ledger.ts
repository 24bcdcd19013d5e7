import { unreachable } from '@keepfirst/protocol'
import type { LedgerReport } from '../store/ledger.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** Turns the ledger's reports into metrics and, where an operator should know, log entries. */
export function ledgerReporter(log: Log, metrics: Pick<Metrics, 'observeCommit' | 'countLost'> | undefined) {
  return (report: LedgerReport): void => {
    switch (report.kind) {
      case 'written':
        metrics?.observeCommit(report)
        break
      case 'failed':
        log.error(
          { err: report.error, waiting: report.state },
          'the ledger could not be written; notes will be retried',
        )
        break
      case 'answer lost':
        metrics?.countLost()
        log.warn({ err: report.error }, 'lost the answer to a commit; querying its outcome')
        break
      case 'settled':
        log.info({ wasWritten: report.wasWritten }, 'the outcome of the commit is known')
        break
      case 'note dropped':
        log.error({ err: report.error }, 'the database rejected a ledger note, which was dropped')
        break
      default:
        unreachable(report)
    }
  }
}
