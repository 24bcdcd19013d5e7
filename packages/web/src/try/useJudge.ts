import { useEffect, useRef, useState } from 'preact/compat'
import type { Content, Stage, Summary } from './messages.ts'
import type { Question } from './question.ts'
import { Left, Workshop } from './workshop.ts'

/** How the run stands that answers what is on the page. */
type RunState =
  | { readonly status: 'running'; readonly stage: Stage }
  | { readonly status: 'done'; readonly summary: Summary; readonly run: number }
  | { readonly status: 'failed'; readonly message: string }
  | { readonly status: 'cancelled' }

export interface Judging {
  readonly state: RunState
  readonly workshop: Workshop | undefined
  readonly cancel: () => void
  readonly again: () => void
}

/** While somebody types, a run waits for a pause of this length. */
const PAUSE_MS = 120

/** Asks `question` of `content` whenever one of the two changes. */
export function useJudge(content: Content, question: Question): Judging {
  const [workshop, setWorkshop] = useState<Workshop>()
  const [state, setState] = useState<RunState>({ status: 'running', stage: 'reading' })
  const [attempt, setAttempt] = useState(0)
  const runs = useRef(0)

  useEffect(() => {
    const opened = new Workshop()
    setWorkshop(opened)
    return () => opened.leave()
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks the same once more
  useEffect(() => {
    if (!workshop) return
    const run = ++runs.current
    const tell = (next: RunState): void => {
      if (run === runs.current) setState(next)
    }
    const timer = setTimeout(() => {
      tell({ status: 'running', stage: 'reading' })
      workshop
        .judge({ kind: 'judge', content, question }, (stage) => tell({ status: 'running', stage }))
        .then((summary) => tell({ status: 'done', summary, run }))
        .catch((error: Error) =>
          tell(error instanceof Left ? { status: 'cancelled' } : { status: 'failed', message: error.message }),
        )
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [workshop, content, question, attempt])

  return { state, workshop, cancel: () => workshop?.leave(), again: () => setAttempt((before) => before + 1) }
}
