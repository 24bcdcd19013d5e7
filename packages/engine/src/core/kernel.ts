import { compile, hasExports } from '../wasm.ts'
import { kernelBytes } from './kernel.bytes.ts'

/**
 * The functions of assembly/core. Addresses and counts are unsigned 32-bit numbers; `from` and `to` delimit a text, and
 * output goes to an address with enough room.
 */
export interface Kernel {
  mark(): number
  release(to: number): void
  /** @returns 0 when there is no memory */
  allocate(bytes: number): number
  seedBytes(): number
  itemBytes(): number
  slackBytes(): number

  isUtf8(from: number, to: number): number
  openScanner(stack: number, path: number, pathLength: number): void
  readBody(from: number, to: number, members: number, memberCount: number, room: number): number
  /** @returns the end of the value at `from`, or 0 if it is invalid; `faultPlace` then says where */
  readValue(from: number): number
  faultPlace(): number
  /**
   * @returns the end of the array whose bracket is at `at`, or 0; `itemCount` gives the number of its items, whose ends
   * go to `ends`
   */
  readArray(at: number, ends: number): number
  itemCount(): number
  countLines(from: number, to: number): number
  countLineFeeds(from: number, to: number): number

  splitLines(items: number, limit: number, from: number, to: number, complete: boolean, nullSeparated: boolean): number
  /** With `items` = 0, only the ends of the rows are written, to `ends`. */
  splitRows(
    items: number,
    limit: number,
    from: number,
    to: number,
    complete: boolean,
    delimiter: number,
    ends: number,
  ): number
  /** Whether a row's last cell is in quotes that are not closed. */
  endsInQuotes(from: number, to: number, delimiter: number): number
  splitFoundRows(items: number, count: number, from: number, to: number, ends: number, base: number): void
  splitFoundItems(items: number, count: number, from: number, ends: number, base: number, keys: number): void
  splitArray(
    items: number,
    limit: number,
    from: number,
    to: number,
    complete: boolean,
    afterComma: boolean,
    withSpace: boolean,
    hasPath: boolean,
    keys: number,
  ): number
  splitValues(
    items: number,
    limit: number,
    from: number,
    to: number,
    complete: boolean,
    withSpace: boolean,
    hasPath: boolean,
    keys: number,
  ): number
  stopReason(): number
  stopPlace(): number

  keyLines(items: number, count: number, trim: boolean, dropEmpty: boolean): void
  keyRows(
    items: number,
    count: number,
    columns: number,
    columnCount: number,
    isWhole: boolean,
    delimiter: number,
    keepEmpty: boolean,
    keys: number,
  ): void
  lowerKeys(items: number, count: number, table: number, keys: number): void
  hashKeys(items: number, count: number, seed: number, blocks: number, isShort: boolean): void
  withKeyCount(): number
  emptyKeyCount(): number

  openTable(total: number, positions: boolean, exact: boolean, stableFrom: number, stableTo: number): number
  /** Limits the memory of the table and its keys. */
  limitTable(bytes: number): void
  /** Judges items by their keys. @returns how many; fewer than `count` if there is no memory for more keys */
  getOrInsert(items: number, count: number, position: number): number
  /** Like `getOrInsert`, but adds nothing: unknown keys get `VERDICT.undecided`. */
  find(items: number, count: number): void
  decide(items: number, count: number, position: number, survivors: number): void
  keptCount(): number
  removedCount(): number

  gather(items: number, count: number, to: number): number
  writeLines(items: number, count: number, to: number): number
  writeRows(items: number, count: number, scratch: number, to: number): number
  writeItems(items: number, count: number, to: number): number
  writePlainLines(items: number, count: number, to: number): number
  writePlainRows(items: number, count: number, delimiter: number, to: number): number
  writeRow(from: number, to: number, delimiter: number, out: number): number
  writeCells(from: number, to: number, delimiter: number, scratch: number, out: number): number
  /** @returns the end of the key, or 0 if the host has to make it; otherwise the text is overwritten */
  writeFuzzyKey(from: number, to: number, out: number): number
  writeFuzzyText(
    from: number,
    to: number,
    columns: number,
    columnCount: number,
    isWhole: boolean,
    delimiter: number,
    out: number,
  ): number
}

/** 4 GB, the most that a kernel can address. */
const MAX_PAGES = 65_536

let compiled: WebAssembly.Module | undefined

/**
 * A kernel with its own memory: initially one page, at most 4 GB.
 * @throws Error when the module lacks an export
 */
export function openKernel(): { kernel: Kernel; memory: WebAssembly.Memory } {
  compiled ??= compile(kernelBytes)
  const memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES })
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } })
  if (!isKernel(exports)) throw new Error('the kernel lacks an export')
  return { kernel: exports, memory }
}

function isKernel(exports: object): exports is Kernel {
  return hasExports(exports, ['splitLines', 'getOrInsert', 'readBody'])
}
