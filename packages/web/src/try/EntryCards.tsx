import { counted, grouped } from '@keepfirst/protocol'
import { type ReactElement, useEffect, useState } from 'preact/compat'
import { Button, classes } from '../design/index.ts'
import type { ListProps } from './Entries.tsx'
import { isRestored } from './EntryTable.tsx'
import type { Line } from './messages.ts'
import { headingOf, RestoreButton, Similarity, WholeEntry } from './Pair.tsx'

const CARDS_AT_ONCE = 40

/**
 * A list as cards for narrow screens: one entry or pair per card, nothing truncated. Survivors are shown in their
 * pairs.
 */
export function EntryCards({ list, count, question, summary, load, onRestore, onFold }: ListProps): ReactElement {
  const [limit, setLimit] = useState(CARDS_AT_ONCE)
  const [lines, setLines] = useState<readonly Line[]>([])
  useEffect(() => {
    let current = true
    const keep = (loaded: readonly Line[]): void => {
      if (current) setLines(loaded)
    }
    load(0, limit).then(keep, () => undefined)
    return () => {
      current = false
    }
  }, [load, limit])
  const label = `${list === 'kept' ? 'Kept' : 'Removed'}: ${counted(summary[list], question.mode)}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard (WCAG 2.1.1)
    <section className="cards" aria-label={label} tabIndex={0}>
      <ol>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: cards are identified by position
          <li key={at} className={classes('card', `card-${line.kind}`, isRestored(line) && 'line-restored')}>
            <div className="row row-apart">
              <h4 className="card-title">{headingOf(line, question.mode)}</h4>
              {line.kind === 'removed' && <Similarity of={line.pair.similarity} />}
              {line.kind === 'survivor' && (
                <Button small variant="quiet" aria-expanded={!line.isFolded} onClick={() => onFold(line.group)}>
                  {line.isFolded ? '▸' : '▾'} {grouped(line.size)} removed
                </Button>
              )}
            </div>
            {line.kind !== 'survivor' && <WholeEntry line={line} columns={summary.table} />}
            {line.kind === 'removed' && <RestoreButton pair={line.pair} mode={question.mode} onRestore={onRestore} />}
          </li>
        ))}
      </ol>
      {limit < count && (
        <p className="cards-more">
          <Button onClick={() => setLimit(limit + CARDS_AT_ONCE)}>
            Show {Math.min(CARDS_AT_ONCE, count - limit)} more
          </Button>
        </p>
      )}
    </section>
  )
}
