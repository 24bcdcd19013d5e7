import type { Question, Separator } from './question.ts'

/** A list and what is asked of it. */
export interface Task {
  /** Another one for every list. */
  readonly listId: number
  /** Short lists are text; longer ones and files are a blob, which crosses to the worker without being copied. */
  readonly content: string | Blob
  /** An opened file is counted and saved as the command line does, pasted text as the API does. */
  readonly form: 'api' | 'file'
  readonly question: Question
  readonly separator: Separator
}

export type ListName = 'kept' | 'removed'
export type FileName = 'kept' | 'removed' | 'request'

/** Removed entries stand beneath their survivors, or pair by pair with the least alike first. */
export type Order = 'survivor' | 'similarity'

/** Which groups of the removed list are folded up: one to turn over, or all of them at once. */
export type Fold = { readonly group: number } | { readonly all: boolean }

/** Does a task. What the reader took back before, of the same entries, stays so. */
export interface JudgeAsk {
  readonly kind: 'judge'
  readonly task: Task
  readonly takenBack: readonly number[]
}

/** What the page asks of the worker. Every ask is answered by one `Answer` with its id. */
export type Ask =
  | JudgeAsk
  | {
      readonly kind: 'show'
      readonly list: ListName
      readonly from: number
      readonly count: number
      readonly whole: boolean
    }
  | { readonly kind: 'arrange'; readonly order: Order; readonly fold?: Fold }
  | { readonly kind: 'takeBack'; readonly entry: number; readonly back: boolean }
  | { readonly kind: 'file'; readonly file: FileName }

/** A column of the tables, in the order in which they show them: those that are compared come first. */
export interface Column {
  readonly title: string
  readonly isKey: boolean
  /** Characters that its cells need, within reason. */
  readonly width: number
}

/** What a finished run says at once; everything else stays in the worker until it is asked for. */
export interface Summary extends Counts {
  readonly count: number
  /** Titles of the columns as the list has them; empty where entries have no cells. */
  readonly columns: readonly string[]
  /** The columns of the tables. */
  readonly table: readonly Column[]
  /** Entries that have one of the key columns, or in which the path leads to something. */
  readonly withKey: number
  /** Entries whose whole key is empty. */
  readonly emptyKeys: number
  /** Paths that the first items have; told when no item has the one that was asked for. */
  readonly paths: readonly string[]
  /** JSON: one value a line was read instead of an array. */
  readonly isJsonLines: boolean
  /** The request to the API that asks the same. */
  readonly request: ApiRequest | NoRequest
  /** Fuzzy rows: how many removed ones are how much alike, a hundredth a step: `similarities[94]` from 0.94 on. */
  readonly similarities: readonly number[]
  readonly durationMs: number
}

/** What a request is billed by. */
export interface ApiRequest {
  readonly bytes: number
  /** Lines, rows or items as the API counts them. */
  readonly count: number
  /** The list as the API takes it (JSON: the text of an array), if it is short. */
  readonly data: string | undefined
}

/** Why no request can ask the same: it is past what any plan takes, or text that JSON can't hold. */
export type NoRequest = 'too large' | 'not UTF-8'

/** What changes when somebody takes a removed entry back. */
export interface Counts {
  readonly kept: number
  readonly removed: number
  /** Entries that stay because the reader said so. */
  readonly takenBack: number
  /** Lines of the removed list: survivors and, beneath those that are not folded up, what was removed for them. */
  readonly removedLines: number
  readonly order: Order
}

/** A part of a cell, and whether it is where the two rows of a pair differ. An empty one that differs is a gap. */
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
  | { readonly kind: 'kept'; readonly entry: Entry; readonly isTakenBack: boolean }
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
  readonly isTakenBack: boolean
}

/** What ends an ask; each kind of ask has its own. */
export type Answer =
  | { readonly kind: 'judged'; readonly summary: Summary }
  | { readonly kind: 'lines'; readonly lines: readonly Line[] }
  | { readonly kind: 'counts'; readonly counts: Counts }
  | { readonly kind: 'file'; readonly file: Blob }
  | { readonly kind: 'failed'; readonly message: string }

export interface ToWorker {
  readonly id: number
  readonly ask: Ask
}

export interface FromWorker {
  readonly id: number
  readonly says: Answer | { readonly kind: 'progress'; readonly share: number }
}
