import { COMMA } from '../core/bytes.ts'
import { judgeBatch } from '../core/judge.ts'
import { seedWord } from '../core/seed.ts'
import { FuzzyTexts } from '../modes/fuzzy-text.ts'
import { MODES, type Question } from '../modes/index.ts'
import { JsonFiles } from '../modes/json-files.ts'
import { Rows } from '../modes/rows.ts'
import { StreamDeduplicator } from '../stream/stream-deduplicator.ts'
import { type ShouldStop, Stopped } from '../verdicts.ts'
import { Entries } from './entries.ts'
import { Judged, type Similarity } from './judged.ts'
import { type OpenedList, openList, processSource, type ReadingOptions } from './list.ts'
import { SLICE_BYTES, type Source } from './source.ts'
import { Utf8Check } from './utf8-check.ts'

export interface JudgeOptions {
  /** SEED_BYTES unpredictable bytes, for the hash. */
  readonly seed: Uint8Array
  /** Whether to read the list like the API or like the command line. */
  readonly form: ReadingOptions['form']
  /** The separator between the cells of a row, one byte; a comma by default. */
  readonly delimiter?: number
  /** How much of the source is read at a time; 1 MB by default. */
  readonly sliceBytes?: number
  /** Called after each slice with the number of bytes read. */
  onProgress?(readBytes: number): void
  readonly shouldStop?: ShouldStop
}

/**
 * Judges a list slice by slice. Only verdicts, positions of entries, and distinct keys are held in memory. The fuzzy
 * kernel is loaded on demand.
 * @throws TypeError when an option's value is not permitted
 * @throws NotUtf8 when a list read like a request is not UTF-8
 * @throws NotJson when a JSON list is not JSON
 * @throws TooLong when an item does not fit in memory
 * @throws NoMemory when the keys do not fit
 * @throws Stopped when `shouldStop` returns true
 */
export async function judgeSource(source: Source, given: Question, how: JudgeOptions): Promise<Judged> {
  const question = MODES[given.mode].ask(given.options)
  const readingOptions: ReadingOptions = {
    form: how.form,
    delimiter: how.delimiter ?? COMMA,
    sliceBytes: how.sliceBytes ?? SLICE_BYTES,
  }
  const head: Head = { cells: [], bytes: undefined }
  const list = openList(question, {
    ...readingOptions,
    onHeader: (cells) => {
      head.cells = cells
    },
  })
  list.space.seedWith(how.seed)
  const entries = new Entries()
  const texts =
    isFuzzy(question) && list.splitter instanceof Rows
      ? new FuzzyTexts(list.space, list.splitter, { normalized: true, hasSurrogates: false })
      : undefined
  const deduplicator = openDeduplicator(list, { entries, texts, head })
  const check = readingOptions.form === 'api' ? new Utf8Check(list.space) : undefined
  let readBytes = 0
  for await (const slice of processSource(source, list, { deduplicator, readingOptions })) {
    check?.push(slice)
    readBytes += slice.length
    how.onProgress?.(readBytes)
    if (how.shouldStop?.()) throw new Stopped()
  }
  check?.end()
  const survivorOf = entries.survivors()
  const similarity = texts && (await judgeFuzzily(texts.texts, question, { how, survivorOf }))
  const { withKey, emptyKeys } = deduplicator
  const jsonLines = list.splitter instanceof JsonFiles && list.splitter.layout === 'lines'
  const judged = new Judged({
    source,
    question,
    readingOptions,
    entries,
    survivorOf,
    similarity,
    head,
    withKey,
    emptyKeys,
    jsonLines,
  })
  await judged.countColumns()
  return judged
}

/** The header, if there is one. */
export interface Head {
  cells: readonly string[]
  bytes: Uint8Array | undefined
}

interface Collecting {
  readonly entries: Entries
  readonly texts: FuzzyTexts | undefined
  readonly head: Head
}

function openDeduplicator(
  { space, window, splitter }: OpenedList,
  { entries, texts, head }: Collecting,
): StreamDeduplicator {
  if (!texts) space.openTable({ total: 0, positions: true, exact: true })
  const judge = (count: number, position: number): void => {
    if (texts) {
      splitter.setKeys(count)
      for (let row = 0; row < count; row++) texts.take(space.item(row))
    } else judgeBatch(space, splitter, count, position)
    entries.take(space, count, deduplicator.windowOffset - window.start)
  }
  const sink = {
    kept: (): void => {},
    header: (bytes: Uint8Array): void => {
      head.bytes = bytes.slice()
    },
  }
  const deduplicator = new StreamDeduplicator(window, splitter, { sink, judge })
  return deduplicator
}

function isFuzzy({ mode, options }: Question): boolean {
  return mode === 'rows' && options.fuzzy
}

interface FuzzyJudging {
  readonly how: JudgeOptions
  readonly survivorOf: Int32Array
}

async function judgeFuzzily(
  texts: readonly string[],
  question: Question,
  { how, survivorOf }: FuzzyJudging,
): Promise<Similarity> {
  const { judgeNormalized, similarity } = await import('../fuzzy/index.ts')
  const threshold = question.mode === 'rows' ? question.options.threshold : 1
  survivorOf.set(judgeNormalized(texts, threshold, how.shouldStop, seedWord(how.seed)).survivorOf)
  return (one, other) => similarity(texts[one] ?? '', texts[other] ?? '')
}
