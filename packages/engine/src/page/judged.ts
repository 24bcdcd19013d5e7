import { Space } from '../core/space.ts'
import type { Question } from '../modes/index.ts'
import { readCells } from '../modes/rows.ts'
import type { Entries } from './entries.ts'
import type { Head } from './judge.ts'
import type { ReadingOptions } from './list.ts'
import { resultOf } from './result.ts'
import { readRanges, type Source } from './source.ts'

/** The similarity of two entries' keys, 0 to 1. */
export type Similarity = (one: number, other: number) => number

interface Findings {
  readonly source: Source
  readonly question: Question
  readonly readingOptions: ReadingOptions
  readonly entries: Entries
  readonly survivorOf: Int32Array
  readonly similarity: Similarity | undefined
  readonly head: Head
  readonly withKey: number
  readonly emptyKeys: number
  readonly jsonLines: boolean
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The verdicts on a list. */
export class Judged {
  readonly count: number
  readonly kept: number
  readonly removed: number
  /**
   * For each entry: its own index if it is kept, that of its survivor if it is a duplicate, or DISCARDED. May be
   * modified: `result` uses its current content.
   */
  readonly survivorOf: Int32Array
  /** The header's cells; empty without a header. */
  readonly header: readonly string[]
  /** The header's bytes in the source. */
  readonly rawHeader: Uint8Array | undefined
  /** Number of cells in the first row, header or not; 0 if entries are not rows. */
  columnCount: number
  /** Entries that have the chosen key; all of them if none was chosen. */
  readonly withKey: number
  /** Entries whose whole key is empty. */
  readonly emptyKeys: number
  /** Whether the list had one JSON value per line instead of an array. */
  readonly jsonLines: boolean
  readonly #findings: Findings
  #space: Space | undefined

  constructor(findings: Findings) {
    const { survivorOf, head } = findings
    this.#findings = findings
    this.survivorOf = survivorOf
    this.count = survivorOf.length
    let kept = 0
    let discarded = 0
    survivorOf.forEach((survivor, entry) => {
      if (survivor === entry) kept++
      else if (survivor < 0) discarded++
    })
    this.kept = kept
    this.removed = this.count - kept - discarded
    this.header = head.cells
    this.rawHeader = head.bytes
    this.columnCount = head.cells.length
    this.withKey = findings.withKey
    this.emptyKeys = findings.emptyKeys
    this.jsonLines = findings.jsonLines
  }

  /** Entries as text: the cells of a row; a single text for anything else. Reads neighbouring entries together. */
  async show(entries: readonly number[]): Promise<string[][]> {
    const raw = await this.raw(entries)
    const isRows = this.#findings.question.mode === 'rows'
    return raw.map((bytes) => (isRows ? this.#cells(bytes) : [decoder.decode(bytes)]))
  }

  /** The bytes of entries, without separators. */
  async raw(entries: readonly number[]): Promise<Uint8Array[]> {
    const { source, entries: all, question } = this.#findings
    const raw = await readRanges(
      source,
      entries.map((entry) => all.range(entry)),
    )
    return question.mode === 'json' ? raw.map(withoutSpace) : raw
  }

  /** The similarity of an entry's key and its survivor's, 0 to 1; 1 for exact comparisons. */
  similarity(entry: number): number {
    const survivor = this.survivorOf[entry] ?? entry
    return this.#findings.similarity?.(entry, survivor) ?? 1
  }

  /** The survivors in pieces, read from the source again: the API's `result`, or a file if the list was one. */
  result(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const { source, question, readingOptions } = this.#findings
    return resultOf(source, question, { readingOptions, survivorOf: this.survivorOf })
  }

  /** Counts the columns of the first row if there is no header. */
  async countColumns(): Promise<void> {
    const { mode } = this.#findings.question
    if (mode !== 'rows' || this.columnCount > 0 || this.count === 0) return
    const [cells = []] = await this.show([0])
    this.columnCount = cells.length
  }

  #cells(row: Uint8Array): string[] {
    this.#space ??= new Space()
    const space = this.#space
    space.clear()
    const start = space.place(row)
    const scratch = space.allocate(row.length)
    const { delimiter } = this.#findings.readingOptions
    return readCells(space, { start, end: start + row.length, delimiter, scratch })
  }
}

/** A JSON item may be preceded by white space. */
function withoutSpace(item: Uint8Array): Uint8Array {
  const start = item.findIndex((byte) => byte > 0x20)
  return item.subarray(Math.max(start, 0))
}
