import type { Question } from './question.ts'

/** Small lists are text; larger ones stay a blob, which crosses to the worker without being copied. */
export type Content = string | Blob

export type ListName = 'kept' | 'removed'
export type FileName = 'result' | 'removed' | 'request'

/** What the page asks of the worker. Every question is answered by one `Answer` with its id. */
export type Ask =
  | { readonly kind: 'judge'; readonly content: Content; readonly question: Question }
  | { readonly kind: 'entries'; readonly list: ListName; readonly from: number; readonly count: number }
  | { readonly kind: 'file'; readonly file: FileName }

/** What a finished run says at once; everything else stays in the worker until it is asked for. */
export interface Summary {
  readonly count: number
  readonly kept: number
  readonly removed: number
  readonly columns: readonly string[]
  /** Size of the request to the API that asks the same, or null when it is past what any plan takes. */
  readonly requestBytes: number | null
  readonly durationMs: number
}

/** Entries are numbered from 1, as people count. */
export interface Entry {
  readonly number: number
  readonly cells: readonly string[]
  /** The survivor because of which it was removed. */
  readonly survivor?: { readonly number: number; readonly cells: readonly string[] }
}

export type Stage = 'reading' | 'comparing'

/** What ends an ask; each kind of ask has its own. */
export type Answer =
  | { readonly kind: 'judged'; readonly summary: Summary }
  | { readonly kind: 'entries'; readonly entries: readonly Entry[] }
  | { readonly kind: 'file'; readonly file: Blob }
  | { readonly kind: 'failed'; readonly message: string }

export interface ToWorker {
  readonly id: number
  readonly ask: Ask
}

export interface FromWorker {
  readonly id: number
  readonly says: Answer | { readonly kind: 'stage'; readonly stage: Stage }
}
