import { type ReactElement, useCallback, useState, useSyncExternalStore } from 'preact/compat'
import { Button, classes, EmptyState } from '../design/index.ts'
import { EntryCards } from './EntryCards.tsx'
import { EntryTable } from './EntryTable.tsx'
import type { Line, ListName, Order, Summary } from './messages.ts'
import { OpenedEntry } from './OpenedEntry.tsx'
import { isFuzzy, nounsOf, type Question } from './question.ts'
import { SimilarityPlot } from './SimilarityPlot.tsx'
import type { Dedupe, Result } from './useDedupe.ts'
import type { WorkerClient } from './workerClient.ts'

/** Props shared by table and cards. */
export interface ListProps {
  readonly list: ListName
  /** Number of lines in the list. */
  readonly count: number
  readonly question: Question
  readonly summary: Summary
  readonly load: (from: number, count: number) => Promise<readonly Line[]>
  readonly onRestore: (entry: number, isRestored: boolean) => void
  readonly onFold: (group: number) => void
}

interface EntriesProps {
  readonly list: ListName
  readonly question: Question
  readonly result: Result
  readonly client: WorkerClient
  readonly dedupe: Dedupe
}

/** One of the two lists: a table where there is room for one, otherwise cards. */
export function Entries({ list, question, result, client, dedupe }: EntriesProps): ReactElement {
  const [opened, setOpened] = useState<number>()
  const isNarrow = useNarrow()
  const { summary, version } = result
  // biome-ignore lint/correctness/useExhaustiveDependencies: a different version has different lines
  const load = useCallback(
    (from: number, count: number) => client.show({ list, from, count, whole: isNarrow }),
    [client, list, isNarrow, version],
  )
  const count = list === 'kept' ? summary.kept : summary.removedLines
  if (count === 0) return <EmptyList list={list} question={question} total={summary.count} />
  const shared: ListProps = {
    ...{ list, count, question, summary, load },
    onRestore: dedupe.setRestored,
    onFold: (group) => dedupe.arrange(summary.order, { group }),
  }
  return (
    <>
      {list === 'removed' && <RemovedTools question={question} summary={summary} dedupe={dedupe} />}
      {isNarrow ? <EntryCards {...shared} /> : <EntryTable {...shared} onOpen={setOpened} />}
      {opened !== undefined && <OpenedEntry {...shared} {...{ client, version }} at={opened} onGo={setOpened} />}
    </>
  )
}

/** The largest width without room for a table; the style sheet uses the same value. */
const NARROW = '(max-width: 48rem)'

function useNarrow(): boolean {
  return useSyncExternalStore(
    (tell) => {
      const query = matchMedia(NARROW)
      query.addEventListener('change', tell)
      return () => query.removeEventListener('change', tell)
    },
    () => typeof matchMedia === 'function' && matchMedia(NARROW).matches,
  )
}

interface RemovedToolsProps {
  readonly question: Question
  readonly summary: Summary
  readonly dedupe: Dedupe
}

const ORDERS: readonly { readonly order: Order; readonly title: string }[] = [
  { order: 'survivor', title: 'By survivor' },
  { order: 'similarity', title: 'Least similar first' },
]

const FOLDS: readonly { readonly title: string; readonly all: boolean }[] = [
  { title: 'Fold all', all: true },
  { title: 'Unfold all', all: false },
]

/** How similar the pairs are, and the controls that arrange the list. */
function RemovedTools({ question, summary, dedupe }: RemovedToolsProps): ReactElement {
  const { order, similarities } = summary
  const threshold = question.mode === 'rows' && question.options.fuzzy ? question.options.threshold : undefined
  return (
    <div className="try-tools">
      {threshold !== undefined && (
        <SimilarityPlot
          steps={similarities}
          threshold={threshold}
          onShowClosest={order === 'similarity' ? undefined : () => dedupe.arrange('similarity')}
        />
      )}
      {isFuzzy(question) && (
        <fieldset className="chips">
          <legend className="visually-hidden">Order of the removed rows</legend>
          {ORDERS.map((each) => (
            <label key={each.order} className={classes('chip', each.order === order && 'chip-on')}>
              <input
                type="radio"
                name="order"
                className="visually-hidden"
                checked={each.order === order}
                onChange={() => dedupe.arrange(each.order)}
              />
              {each.title}
            </label>
          ))}
        </fieldset>
      )}
      <span className="row">
        {FOLDS.map(({ title, all }) => (
          <Button key={title} small variant="quiet" onClick={() => dedupe.arrange(order, { all })}>
            {title}
          </Button>
        ))}
      </span>
    </div>
  )
}

interface EmptyListProps {
  readonly list: ListName
  readonly question: Question
  readonly total: number
}

function EmptyList({ list, question: { mode }, total }: EmptyListProps): ReactElement {
  if (list === 'kept') return <EmptyState title="Nothing is left">The list has no {nounsOf(mode)}.</EmptyState>
  return (
    <EmptyState title="Nothing was removed">
      {total === 0 ? 'The list is empty.' : `No two ${nounsOf(mode)} are duplicates.`}
    </EmptyState>
  )
}
