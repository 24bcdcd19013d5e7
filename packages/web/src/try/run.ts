import { Arrangement } from './arrangement.ts'
import { differences, plain } from './differences.ts'
import type { Judged } from './engine.ts'
import { keyOf } from './key.ts'
import type { Column, Counts, Entry, Fold, Line, Order, Pair, Piece, Summary, Task } from './messages.ts'
import { pathsIn, shownAt } from './paths.ts'
import { isFuzzy, type Question } from './question.ts'
import { hundredths } from './similarity.ts'

/** Lists show an entry on one line, cut at this length; when opened, and in files, entries are whole. */
const SHOWN_CHARACTERS = 300
/** How much of a cell is shown when it is opened. */
const OPENED_CHARACTERS = 20_000
/** Entries sampled for column widths and for path suggestions. */
const SAMPLED_ENTRIES = 100
const MIN_CELL_WIDTH = 4
const MAX_CELL_WIDTH = 36
/** For lists with a single column. */
const MAX_TEXT_WIDTH = 120
/** Characters that the mark of a key column takes up. */
const KEY_MARK = 6

/** The survivor because of which an entry was removed, and how similar the two are. */
interface Removal {
  readonly survivor: number
  readonly similarity: number
}

/** A deduplicated list as the page shows it: the content of each line of its two tables. */
export class Run {
  readonly task: Task
  readonly judged: Judged
  /** The cells of the first entries. */
  readonly #sample: readonly (readonly string[])[]
  readonly #keys: readonly number[]
  /** Columns in display order: compared columns come first. */
  readonly #columns: readonly number[]
  /** Restored entries, with their removals. */
  readonly #restored = new Map<number, Removal>()
  #kept: Int32Array | undefined
  #removed: Arrangement | undefined
  #order: Order = 'survivor'

  private constructor(task: Task, judged: Judged, sample: readonly (readonly string[])[]) {
    this.task = task
    this.judged = judged
    this.#sample = sample
    const count = Math.max(judged.columnCount, 1, ...sample.map((cells) => cells.length))
    const all = Array.from({ length: count }, (_, column) => column)
    this.#keys = keyColumnsOf(task.question)
    this.#columns = [
      ...this.#keys.filter((column) => column < count),
      ...all.filter((column) => !this.#keys.includes(column)),
    ]
  }

  /** @param restored entries that the user restored earlier, which are restored again if they were removed */
  static async of(task: Task, judged: Judged, restored: readonly number[]): Promise<Run> {
    const first = Array.from({ length: Math.min(judged.count, SAMPLED_ENTRIES) }, (_, entry) => entry)
    const run = new Run(task, judged, await cellsOf(judged, task.question, first))
    for (const entry of restored) run.setRestored(entry, true)
    return run
  }

  counts(): Counts {
    const { kept, removed } = this.judged
    const restored = this.#restored.size
    const removedLines = this.#arrangement().lineCount
    return { kept: kept + restored, removed: removed - restored, restored, removedLines, order: this.#order }
  }

  /** Everything except what the run itself cannot know. */
  summary(): Omit<Summary, 'request' | 'durationMs'> {
    const { count, withKey, emptyKeys, jsonLines, columnCount } = this.judged
    const isPathMissing = keyOf(this.task.question)?.option === 'key' && withKey === 0
    return {
      ...this.counts(),
      count,
      withKey,
      emptyKeys,
      isJsonLines: jsonLines,
      columns: Array.from({ length: columnCount }, (_, column) => this.#titleOf(column)),
      table: this.#columns.map((column) => this.#tableColumn(column)),
      paths: isPathMissing ? pathsIn(this.#sample.map((cells) => cells.at(-1) ?? '')) : [],
      similarities: this.#similarities(),
    }
  }

  #titleOf(column: number): string {
    const { question } = this.task
    const key = keyOf(question)
    if (key?.option === 'key' && this.#keys.includes(column)) return key.path
    if (question.mode !== 'rows') return ''
    return this.judged.header[column] || `Column ${column}`
  }

  #tableColumn(column: number): Column {
    const title = this.#titleOf(column)
    const widest = this.#columns.length === 1 ? MAX_TEXT_WIDTH : MAX_CELL_WIDTH
    const lengths = this.#sample.map((cells) => cells[column]?.length ?? 0)
    const isKey = this.#keys.includes(column)
    const width = Math.min(Math.max(MIN_CELL_WIDTH, title.length + (isKey ? KEY_MARK : 1), ...lengths), widest)
    return { title, isKey, width }
  }

  #similarities(): number[] {
    if (!isFuzzy(this.task.question)) return []
    const steps = Array.from({ length: 101 }, () => 0)
    this.judged.survivorOf.forEach((survivor, entry) => {
      if (survivor < 0 || survivor === entry) return
      const step = hundredths(this.judged.similarity(entry))
      steps[step] = (steps[step] ?? 0) + 1
    })
    return steps
  }

  /** Rearranges the removed list, or collapses its groups. */
  arrange(order: Order, fold: Fold | undefined): Counts {
    if (order !== this.#order) this.#removed = undefined
    this.#order = order
    if (fold) this.#arrangement().fold(fold)
    return this.counts()
  }

  /** Restores a removed entry, or removes it again. */
  setRestored(entry: number, isRestored: boolean): Counts {
    this.#arrangement() // must see the original verdicts
    const { survivorOf } = this.judged
    const survivor = this.#survivorOf(entry)
    if (isRestored && survivor !== entry) {
      this.#restored.set(entry, { survivor, similarity: this.#similarityOf(entry) })
      survivorOf[entry] = entry
    } else if (!isRestored && this.#restored.delete(entry)) {
      survivorOf[entry] = survivor
    }
    this.#kept = undefined
    return this.counts()
  }

  /** The removed entries in list order. */
  removedEntries(): number[] {
    const { survivorOf } = this.judged
    const removed: number[] = []
    survivorOf.forEach((survivor, entry) => {
      if (survivor >= 0 && survivor !== entry) removed.push(entry)
    })
    return removed
  }

  #keptEntries(): Int32Array {
    if (this.#kept) return this.#kept
    const { survivorOf, kept } = this.judged
    this.#kept = new Int32Array(kept + this.#restored.size)
    let at = 0
    for (let entry = 0; entry < survivorOf.length; entry += 1) if (survivorOf[entry] === entry) this.#kept[at++] = entry
    return this.#kept
  }

  #arrangement(): Arrangement {
    if (this.#removed) return this.#removed
    const survivorOf = this.#restored.size > 0 ? this.judged.survivorOf.slice() : this.judged.survivorOf
    for (const [entry, { survivor }] of this.#restored) survivorOf[entry] = survivor
    this.#removed = Arrangement.of(survivorOf, this.#order, (entry) => this.#similarityOf(entry))
    return this.#removed
  }

  #survivorOf(entry: number): number {
    return this.#restored.get(entry)?.survivor ?? this.judged.survivorOf[entry] ?? entry
  }

  #similarityOf(entry: number): number {
    return this.#restored.get(entry)?.similarity ?? this.judged.similarity(entry)
  }

  async keptLines(from: number, count: number, isWhole: boolean): Promise<Line[]> {
    const entries = [...this.#keptEntries().subarray(from, from + count)]
    const cells = await this.#cells(entries, isWhole)
    return entries.map((entry) => ({
      kind: 'kept',
      entry: shown(entry, (cells.get(entry) ?? []).map(plain)),
      isRestored: this.#restored.has(entry),
    }))
  }

  async removedLines(from: number, count: number, isWhole: boolean): Promise<Line[]> {
    const arrangement = this.#arrangement()
    const last = Math.min(from + count, arrangement.lineCount)
    const contents = Array.from({ length: Math.max(0, last - from) }, (_, at) => arrangement.at(from + at))
    const entryOf = ({ group, member }: (typeof contents)[number]): number =>
      member === undefined ? arrangement.firstOf(group) : (arrangement.members[member] ?? 0)
    const cells = await this.#cells(
      contents.map(entryOf).flatMap((entry) => [entry, this.#survivorOf(entry)]),
      isWhole,
    )
    return contents.map((content) => {
      const entry = entryOf(content)
      if (content.member !== undefined) return { kind: 'removed', pair: this.#pair(entry, cells) }
      const { group } = content
      const survivor = this.#survivorOf(entry)
      const survivorCells = (cells.get(survivor) ?? []).map(plain)
      const [size, isFolded] = [arrangement.sizeOf(group), arrangement.isFolded(group)]
      return { kind: 'survivor', entry: shown(survivor, survivorCells), group, size, isFolded }
    })
  }

  #pair(entry: number, cells: ReadonlyMap<number, readonly string[]>): Pair {
    const survivor = this.#survivorOf(entry)
    const [ours, theirs] = differences(cells.get(entry) ?? [], cells.get(survivor) ?? [])
    return {
      entry: shown(entry, ours),
      survivor: shown(survivor, theirs),
      similarity: isFuzzy(this.task.question) ? this.#similarityOf(entry) : undefined,
      isRestored: this.#restored.has(entry),
    }
  }

  /** The cells of entries in display order, cut to what is shown. */
  async #cells(entries: readonly number[], isWhole: boolean): Promise<Map<number, string[]>> {
    const distinct = [...new Set(entries)]
    const rows = await cellsOf(this.judged, this.task.question, distinct)
    const most = isWhole ? OPENED_CHARACTERS : SHOWN_CHARACTERS
    return new Map(distinct.map((entry, at) => [entry, this.#ordered(rows[at] ?? []).map((cell) => cut(cell, most))]))
  }

  /** Cells beyond the known columns come last. */
  #ordered(cells: readonly string[]): string[] {
    return [...this.#columns.map((column) => cells[column] ?? ''), ...cells.slice(this.#columns.length)]
  }
}

/** The compared columns; for items the first one, which shows the value at the path. */
function keyColumnsOf(question: Question): readonly number[] {
  const key = keyOf(question)
  if (key === undefined) return []
  return key.option === 'key' ? [0] : key.columns
}

/** Entries as table rows; an item is preceded by its compared part, if there is one. */
async function cellsOf(judged: Judged, question: Question, entries: readonly number[]): Promise<string[][]> {
  const shown = await judged.show(entries)
  const key = keyOf(question)
  return key?.option === 'key' ? shown.map(([item = '']) => [shownAt(item, key.path), item]) : shown
}

function shown(entry: number, cells: readonly (readonly Piece[])[]): Entry {
  return { entry, position: entry + 1, cells }
}

function cut(cell: string, most: number): string {
  return cell.length <= most ? cell : `${cell.slice(0, most)}…`
}
