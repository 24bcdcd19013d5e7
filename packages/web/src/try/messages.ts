import type { Question, Separator } from './question.ts'

/** A list and the question about it. */
export interface Task {
  /** Different for every list. */
  readonly listId: number
  /** Short lists are text; longer ones and files are a blob, which is passed to the worker without copying. */
  readonly content: string | Blob
  /** An opened file is counted and saved as by the command line, pasted text as by the API. */
  readonly form: 'api' | 'file'
  readonly question: Question
  readonly separator: Separator
}

export type ListName = 'kept' | 'removed'
export type FileName = 'kept' | 'removed' | 'request'

/** Removed entries below their survivors, or pair by pair, least similar first. */
export type Order = 'survivor' | 'similarity'

/** Which groups of the removed list to collapse: toggle one, or set all. */
export type Fold = { readonly group: number } | { readonly all: boolean }

/** Performs a task. Entries that the user restored in the same list stay restored. */
export interface RunRequest {
  readonly kind: 'run'
  readonly task: Task
  readonly restored: readonly number[]
}

/** The page's requests to the worker. Each is answered by one `Answer` with the same id. */
export type WorkerRequest =
  | RunRequest
  | {
      readonly kind: 'show'
      readonly list: ListName
      readonly from: number
      readonly count: number
      readonly whole: boolean
    }
  | { readonly kind: 'arrange'; readonly order: Order; readonly fold?: Fold }
  | { readonly kind: 'setRestored'; readonly entry: number; readonly isRestored: boolean }
  | { readonly kind: 'file'; readonly file: FileName }

/** A column of the tables, in display order: compared columns come first. */
export interface Column {
  readonly title: string
  readonly isKey: boolean
  /** Characters that its cells need, up to a limit. */
  readonly width: number
}

/** What a finished run reports at once; everything else stays in the worker until it is requested. */
export interface Summary extends Counts {
  readonly count: number
  /** The list's own column titles; empty if entries have no cells. */
  readonly columns: readonly string[]
  /** The columns of the tables. */
  readonly table: readonly Column[]
  /** Entries that have one of the key columns, or a value at the path. */
  readonly withKey: number
  /** Entries whose whole key is empty. */
  readonly emptyKeys: number
  /** Paths found in the first items; given when no item has the requested one. */
  readonly paths: readonly string[]
  /** JSON: values were read one per line instead of from an array. */
  readonly isJsonLines: boolean
  /** The API request for the same question. */
  readonly request: ApiRequest | NoRequest
  /** Fuzzy rows: removed rows at each hundredth of similarity; `similarities[94]` counts from 0.94 to below 0.95. */
  readonly similarities: readonly number[]
  readonly durationMs: number
}

/** What a request is billed by. */
export interface ApiRequest {
  readonly bytes: number
  /** Lines, rows or items as the API counts them. */
  readonly count: number
  /** The list as the API accepts it (for JSON the text of an array), if it is short. */
  readonly data: string | undefined
}

/** Why there is no such request: it would exceed every plan, or the list is not UTF-8. */
export type NoRequest = 'too large' | 'not UTF-8'

/** What changes when the user restores a removed entry. */
export interface Counts {
  readonly kept: number
  readonly removed: number
  /** Entries that the user restored. */
  readonly restored: number
  /** Lines of the removed list: survivors and, unless collapsed, what was removed because of them. */
  readonly removedLines: number
  readonly order: Order
}

/** A part of a cell, and whether the two rows of a pair differ there. An empty part that differs is a gap. */
export interface Piece {
  readonly text: string
  readonly differs: boolean
}

/** An entry to show; `position` counts from 1. */
export interface Entry {
  readonly entry: number
  readonly position: number
  readonly cells: readonly (readonly Piece[])[]
}

/** A line of the kept or the removed list. */
export type Line =
  | { readonly kind: 'kept'; readonly entry: Entry; readonly isRestored: boolean }
  | {
      readonly kind: 'survivor'
      readonly entry: Entry
      readonly group: number
      readonly size: number
      readonly isFolded: boolean
    }
  | { readonly kind: 'removed'; readonly pair: Pair }

export interface Pair {
  readonly entry: Entry
  readonly survivor: Entry
  readonly similarity: number | undefined
  readonly isRestored: boolean
}

/** Answers to requests; each kind of request has its own. */
export type Answer =
  | { readonly kind: 'finished'; readonly summary: Summary }
  | { readonly kind: 'lines'; readonly lines: readonly Line[] }
  | { readonly kind: 'counts'; readonly counts: Counts }
  | { readonly kind: 'file'; readonly file: Blob }
  | { readonly kind: 'failed'; readonly message: string }

export interface ToWorker {
  readonly id: number
  readonly request: WorkerRequest
}

export interface FromWorker {
  readonly id: number
  readonly response: Answer | { readonly kind: 'progress'; readonly share: number }
}
