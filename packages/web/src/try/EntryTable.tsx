import { counted, grouped } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { classes, Tag } from '../design/index.ts'
import type { ListProps } from './Entries.tsx'
import type { Column, Entry, Line } from './messages.ts'
import { RestoreButton, Similarity } from './Pair.tsx'
import { differsIn, Pieces } from './Pieces.tsx'
import { isFuzzy, nounOf } from './question.ts'
import { VirtualTable } from './VirtualTable.tsx'

interface EntryTableProps extends ListProps {
  readonly onOpen: (at: number) => void
}

/** Horizontal padding of a cell. */
const CELL_PADDING = '1.5rem'
/** Space for the sign beside a position, which shows the kind of line. */
const SIGN_WIDTH = '1.5rem'
const SIMILARITY_WIDTH = '5.5rem'
/** Characters taken by the marks of a few differences. */
const MARKS_WIDTH = 2
const ACTION_WIDTH = '8.5rem'

/** A list as a table: one line per entry, compared columns first; Enter or a click opens a line. */
export function EntryTable(props: EntryTableProps): ReactElement {
  const { list, count, question, summary, load, onOpen, onFold, onRestore } = props
  const isRemoved = list === 'removed'
  const hasSimilarity = isRemoved && isFuzzy(question)
  const hasAction = isRemoved || summary.restored > 0
  const position = `${grouped(summary.count).length}ch + ${SIGN_WIDTH} + ${CELL_PADDING}`
  const columns = summary.table.map(({ width }) => `${width + MARKS_WIDTH}ch + ${CELL_PADDING}`)
  const toggle = (line: Line): void => {
    if (line.kind === 'survivor') onFold(line.group)
  }
  return (
    <VirtualTable
      label={`${isRemoved ? 'Removed' : 'Kept'}: ${counted(summary[list], question.mode)}`}
      count={count}
      widths={[
        position,
        ...(hasSimilarity ? [SIMILARITY_WIDTH] : []),
        ...columns,
        ...(hasAction ? [ACTION_WIDTH] : []),
      ]}
      growing={columns.length + (hasSimilarity ? 1 : 0)}
      head={
        <>
          <th scope="col" className="entry-position" aria-label="Position">
            #
          </th>
          {hasSimilarity && <th scope="col">similarity</th>}
          {summary.table.map((column) => (
            <Head key={column.title} column={column} fallback={nounOf(question.mode)} />
          ))}
          {hasAction && (
            <th scope="col" className="entry-action">
              <span className="visually-hidden">Restore or remove</span>
            </th>
          )}
        </>
      }
      load={load}
      onOpen={(_, at) => onOpen(at)}
      onFold={isRemoved ? toggle : undefined}
      classOf={(line) => classes(`line-${line.kind}`, isRestored(line) && 'line-restored')}
      show={(line) => (
        <>
          <Position line={line} onFold={toggle} />
          {hasSimilarity && <td>{line.kind === 'removed' && <Similarity of={line.pair.similarity} />}</td>}
          <Cells entry={entryOf(line)} columns={summary.table} />
          {hasAction && (
            <td className="entry-action">
              {line.kind === 'removed' && (
                <RestoreButton pair={line.pair} mode={question.mode} onRestore={onRestore} tabIndex={-1} />
              )}
              {line.kind === 'kept' && line.isRestored && <Tag>restored</Tag>}
            </td>
          )}
        </>
      )}
    />
  )
}

function Head({ column, fallback }: { column: Column; fallback: string }): ReactElement {
  return (
    <th scope="col" className={column.isKey ? 'entry-key' : undefined} title={column.title}>
      {column.isKey && <Tag tone="good">key</Tag>} {column.title || fallback}
    </th>
  )
}

/** The entry that a line shows. */
export function entryOf(line: Line): Entry {
  return line.kind === 'removed' ? line.pair.entry : line.entry
}

/** Whether the user restored the entry of a line. */
export function isRestored(line: Line): boolean {
  if (line.kind === 'survivor') return false
  return line.kind === 'kept' ? line.isRestored : line.pair.isRestored
}

function Position({ line, onFold }: { line: Line; onFold: (line: Line) => void }): ReactElement {
  const position = grouped(entryOf(line).position)
  if (line.kind !== 'survivor') {
    return (
      <td className="entry-position">
        {line.kind === 'removed' && <span className="entry-sign">↳ </span>}
        {position}
      </td>
    )
  }
  return (
    <td className="entry-position">
      <button
        type="button"
        className="entry-fold"
        tabIndex={-1}
        aria-expanded={!line.isFolded}
        aria-label={`${grouped(line.size)} removed because of ${position}`}
        onClick={(event) => {
          event.stopPropagation()
          onFold(line)
        }}
      >
        <span aria-hidden="true">{line.isFolded ? '▸' : '▾'}</span>
      </button>
      {position}
    </td>
  )
}

function Cells({ entry, columns }: { entry: Entry; columns: readonly Column[] }): ReactElement {
  return (
    <>
      {columns.map(({ isKey }, at) => {
        const pieces = entry.cells[at] ?? []
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by column
          <td key={at} className={classes('entry-cell', isKey && 'entry-key', differsIn(pieces) && 'entry-differs')}>
            <Pieces pieces={pieces} />
          </td>
        )
      })}
    </>
  )
}
