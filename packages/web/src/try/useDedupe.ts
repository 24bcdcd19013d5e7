import { useEffect, useRef, useState } from 'preact/compat'
import type { Counts, Fold, Order, Summary, Task } from './messages.ts'
import { RunAbandoned, WorkerClient } from './workerClient.ts'

/** The state of the run for the current input. */
export type RunState =
  | { readonly status: 'running'; readonly share: number }
  | { readonly status: 'done'; readonly result: Result }
  | { readonly status: 'failed'; readonly message: string }
  | { readonly status: 'cancelled' }

/** A result, and ways to rearrange it. */
export interface Result {
  /** The task that it answers. */
  readonly task: Task
  readonly summary: Summary
  /** Different for each run, and after each change the user makes to its outcome. */
  readonly version: string
  readonly run: number
}

export interface Dedupe {
  readonly state: RunState
  readonly client: WorkerClient | undefined
  readonly cancel: () => void
  readonly again: () => void
  readonly arrange: (order: Order, fold?: Fold) => void
  readonly setRestored: (entry: number, isRestored: boolean) => void
}

/** While the user types, a run waits for a pause of this length. */
const PAUSE_MS = 120

/** Performs `task`, and again whenever it changes. */
export function useDedupe(task: Task): Dedupe {
  const [client, setClient] = useState<WorkerClient>()
  const [state, setState] = useState<RunState>({ status: 'running', share: 0 })
  const [attempt, setAttempt] = useState(0)
  const runs = useRef(0)
  const changes = useRef(0)
  const restored = useRef({ entriesOf: '', entries: new Set<number>() })

  /** The entries of a task that the user restored. */
  const restoredOf = (of: Task): Set<number> => {
    if (restored.current.entriesOf !== entriesOf(of))
      restored.current = { entriesOf: entriesOf(of), entries: new Set() }
    return restored.current.entries
  }

  useEffect(() => {
    const opened = new WorkerClient((message) => setState({ status: 'failed', message }))
    setClient(opened)
    return () => opened.abandon()
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt repeats the same task
  useEffect(() => {
    if (!client) return
    const run = ++runs.current
    const tell = (next: RunState): void => {
      if (run === runs.current) setState(next)
    }
    const timer = setTimeout(() => {
      tell({ status: 'running', share: 0 })
      client
        .run({ kind: 'run', task, restored: [...restoredOf(task)] }, (share) => tell({ status: 'running', share }))
        .then((summary) => tell({ status: 'done', result: { task, summary, version: `${run}`, run } }))
        .catch((error: Error) =>
          tell(error instanceof RunAbandoned ? { status: 'cancelled' } : { status: 'failed', message: error.message }),
        )
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [client, task, attempt])

  const change = (counts: Promise<Counts> | undefined): void => {
    const run = runs.current
    const keep = (changed: Counts): void => {
      if (run !== runs.current) return
      const version = `${run} ${++changes.current}`
      setState((now) =>
        now.status === 'done'
          ? { ...now, result: { ...now.result, summary: { ...now.result.summary, ...changed }, version } }
          : now,
      )
    }
    // Fails if the run is abandoned; the next one lists again.
    counts?.then(keep, () => undefined)
  }
  // During the pause before the next run, the last result no longer matches the input.
  const isStale = state.status === 'done' && state.result.task !== task
  return {
    state: isStale ? { status: 'running', share: 0 } : state,
    client,
    cancel: () => client?.abandon(),
    again: () => setAttempt((before) => before + 1),
    arrange: (order, fold) => change(client?.arrange(order, fold)),
    setRestored: (entry, isRestored) => {
      if (isRestored) restoredOf(task).add(entry)
      else restoredOf(task).delete(entry)
      change(client?.setRestored(entry, isRestored))
    },
  }
}

/** Identifies the entries of a task, whatever else is asked about them. */
export function entriesOf({ listId, question, separator }: Task): string {
  const hasHeader = question.mode === 'rows' && question.options.hasHeader
  return [listId, question.mode, separator, hasHeader].join(' ')
}
