import { grouped } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { Button, Tag } from '../design/index.ts'
import type { Column, Entry, Line, Pair } from './messages.ts'
import { Pieces } from './Pieces.tsx'
import { nounOf, type Question } from './question.ts'
import { hundredths } from './similarity.ts'

/** An entry as text, such as "Row 1,204". */
export function titleOf({ position }: Entry, mode: Question['mode']): string {
  const noun = nounOf(mode)
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${grouped(position)}`
}

/** The heading of an opened entry. */
export function headingOf(line: Line, mode: Question['mode']): string {
  if (line.kind !== 'removed') return titleOf(line.entry, mode)
  const { entry, survivor, isRestored } = line.pair
  const status = isRestored ? 'restored, a duplicate of' : 'removed because of'
  return `${titleOf(entry, mode)}, ${status} ${titleOf(survivor, mode).toLowerCase()}`
}

/** How similar the two rows of a fuzzy pair are. */
export function Similarity({ of }: { of: number | undefined }): ReactElement | null {
  if (of === undefined) return null
  return (
    <span className="number" title="Similarity of the two keys">
      {(hundredths(of) / 100).toFixed(2)}
    </span>
  )
}

interface WholeEntryProps {
  readonly line: Line
  readonly columns: readonly Column[]
}

/** Every cell of an entry in full; for a pair, the removed cell above the kept one wherever they differ. */
export function WholeEntry({ line, columns }: WholeEntryProps): ReactElement {
  const [ours, theirs] = line.kind === 'removed' ? [line.pair.entry, line.pair.survivor] : [line.entry, undefined]
  const width = Math.max(ours.cells.length, theirs?.cells.length ?? 0)
  return (
    <dl className="whole">
      {Array.from({ length: width }, (_, column) => {
        const { title = '', isKey = false } = columns[column] ?? {}
        const [mine = [], other] = [ours.cells[column], theirs?.cells[column]]
        const isSame = other?.map(({ text }) => text).join('') === mine.map(({ text }) => text).join('')
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by column
          <div key={column} className={isKey ? 'whole-cell whole-key' : 'whole-cell'}>
            {title !== '' && (
              <dt>
                {title} {isKey && <Tag tone="good">key</Tag>}
              </dt>
            )}
            {other && !isSame && (
              <dd>
                <span className="whole-what">
                  {line.kind === 'removed' && line.pair.isRestored ? 'restored' : 'removed'}
                </span>
                <span className="whole-text">
                  <Pieces pieces={mine} opened />
                </span>
              </dd>
            )}
            <dd>
              {other && !isSame && <span className="whole-what">kept</span>}
              <span className="whole-text">
                <Pieces pieces={other ?? mine} opened />
              </span>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

interface RestoreButtonProps {
  readonly pair: Pair
  readonly mode: Question['mode']
  readonly onRestore: (entry: number, isRestored: boolean) => void
  readonly tabIndex?: number
}

/** Restores a removed entry, or removes it again. */
export function RestoreButton({
  pair: { entry, isRestored },
  mode,
  onRestore,
  tabIndex,
}: RestoreButtonProps): ReactElement {
  const label = isRestored ? 'Remove again' : 'Restore'
  return (
    <Button
      small
      variant="quiet"
      aria-label={`${label}: ${titleOf(entry, mode).toLowerCase()}`}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      onClick={(event) => {
        event.stopPropagation()
        onRestore(entry.entry, !isRestored)
      }}
    >
      {label}
    </Button>
  )
}
