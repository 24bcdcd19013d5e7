import { type ReactElement, useEffect, useState } from 'preact/compat'
import { Button, Dialog } from '../design/index.ts'
import type { ListProps } from './Entries.tsx'
import type { Line } from './messages.ts'
import { headingOf, RestoreButton, Similarity, WholeEntry } from './Pair.tsx'
import type { WorkerClient } from './workerClient.ts'

interface OpenedEntryProps extends ListProps {
  /** Which line of the list is open. */
  readonly at: number
  readonly client: WorkerClient
  readonly version: string
  /** Opens another line, or none. */
  readonly onGo: (at: number | undefined) => void
}

/** A line of a list in full, in a dialog. */
export function OpenedEntry(props: OpenedEntryProps): ReactElement | null {
  const { at, list, count, question, summary, client, version, onGo, onRestore } = props
  const [line, setLine] = useState<Line>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a different version has different lines
  useEffect(() => {
    let current = true
    const keep = ([loaded]: readonly Line[]): void => {
      if (current) setLine(loaded)
    }
    client.show({ list, from: at, count: 1, whole: true }).then(keep, () => undefined)
    return () => {
      current = false
    }
  }, [client, list, at, version])
  if (!line) return null
  return (
    <Dialog title={headingOf(line, question.mode)} wide onClose={() => onGo(undefined)}>
      {line.kind === 'removed' && line.pair.similarity !== undefined && (
        <p className="muted">
          Similarity <Similarity of={line.pair.similarity} />
        </p>
      )}
      <WholeEntry line={line} columns={summary.table} />
      <div className="dialog-foot">
        {line.kind === 'removed' && <RestoreButton pair={line.pair} mode={question.mode} onRestore={onRestore} />}
        <Button disabled={at === 0} onClick={() => onGo(at - 1)}>
          Previous
        </Button>
        <Button disabled={at + 1 >= count} onClick={() => onGo(at + 1)}>
          Next
        </Button>
        <Button variant="primary" onClick={() => onGo(undefined)}>
          Close
        </Button>
      </div>
    </Dialog>
  )
}
