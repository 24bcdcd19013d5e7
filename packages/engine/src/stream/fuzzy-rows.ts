import type { Verdicts } from '../verdicts.ts'
import { fuzzyText } from './csv.ts'
import { RowsMode } from './rows.ts'
import { type Judge, Sifter, type Sifting, type Sink } from './sifter.ts'
import { ITEM, type Workspace } from './workspace.ts'

export interface FuzzyRowStreamOptions {
  keyColumns: readonly number[]
  hasHeader: boolean
  /** Judges the keys of all rows: the chosen cells with a space between, not yet normalised. */
  judgeKeys(keys: readonly string[]): Verdicts
}

/**
 * Rows that are nearly alike. Any row may decide about any later one, so the input is held in memory, sifted once
 * for its keys and, when all are judged, once more for its survivors.
 */
export class FuzzyRows implements Sifting {
  kept = 0
  removed = 0
  readonly #newSpace: () => Workspace
  readonly #options: FuzzyRowStreamOptions
  readonly #sink: Sink
  readonly #files: Uint8Array[][] = [[]]
  readonly #keys: string[] = []
  readonly #reading: Sifter

  constructor(newSpace: () => Workspace, options: FuzzyRowStreamOptions, sink: Sink) {
    this.#newSpace = newSpace
    this.#options = options
    this.#sink = sink
    const columns = [...new Set(options.keyColumns)]
    this.#reading = this.#sifter({ kept: () => {} }, (space) => (item, position) => {
      const { words, bytes } = space
      const row = { start: words[item + ITEM.start] ?? 0, end: words[item + ITEM.end] ?? 0 }
      this.#keys.push(fuzzyText(bytes, row, columns))
      return position
    })
  }

  push(bytes: Uint8Array): void {
    this.#files.at(-1)?.push(bytes.slice())
    this.#reading.push(bytes)
  }

  endFile(): void {
    this.#reading.endFile()
    this.#files.push([])
  }

  end(): void {
    this.#reading.end()
    const { survivorOf } = this.#options.judgeKeys(this.#keys)
    const sifter = this.#sifter(this.#sink, () => (_, position) => (survivorOf[position - 1] ?? 0) + 1)
    for (const file of this.#files) {
      for (const bytes of file) sifter.push(bytes)
      sifter.endFile()
    }
    sifter.end()
    this.kept = sifter.kept
    this.removed = sifter.removed
  }

  #sifter(sink: Sink, claimIn: (space: Workspace) => Judge['claim']): Sifter {
    const space = this.#newSpace()
    const mode = new RowsMode(space, { ...this.#options, caseSensitive: true })
    return new Sifter(space, mode, { sink, judge: { claim: claimIn(space) } })
  }
}
