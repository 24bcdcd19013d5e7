import { compile } from '../wasm.ts'
import { kernelBytes } from './kernel.bytes.ts'

/**
 * The functions of assembly/core. Addresses and counts are unsigned 32-bit numbers; `from` and `to` bound a text, and
 * what is written goes to an address with room for it.
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
  /** @returns where the value at `from` ends, or 0: then `faultPlace` tells where no rule went on */
  readValue(from: number): number
  faultPlace(): number
  /** @returns where the array ends whose bracket stands at `at`, or 0; `itemCount` says how many items it has, `ends` takes their ends */
  readArray(at: number, ends: number): number
  itemCount(): number
  countLines(from: number, to: number): number
  countFeeds(from: number, to: number): number

  splitLines(items: number, limit: number, from: number, to: number, complete: boolean, nullSeparated: boolean): number
  /** Without `items` (0) where each row ends is noted at `ends`. */
  splitRows(
    items: number,
    limit: number,
    from: number,
    to: number,
    complete: boolean,
    delimiter: number,
    ends: number,
  ): number
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
  hashKeys(items: number, count: number, seed: number, blocks: number, half: boolean): void
  withKeyCount(): number
  emptyKeyCount(): number

  openTable(total: number, positions: boolean, exact: boolean, stableFrom: number, stableTo: number): number
  /** Bounds what the table and its keys take. */
  limitTable(bytes: number): void
  claim(items: number, count: number, position: number): number
  /** As `claim`, but enters nothing: what is not known is `VERDICT.undecided`. */
  find(items: number, count: number, position: number): void
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
  /** 0 when the host must make the key; otherwise the text is overwritten. */
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

/** 4 GB, all that a kernel can address. */
const MOST_PAGES = 65_536

let compiled: WebAssembly.Module | undefined

/** A kernel with a memory of its own, one page to begin with, 4 GB at most. */
export function openKernel(): { kernel: Kernel; memory: WebAssembly.Memory } {
  compiled ??= compile(kernelBytes)
  const memory = new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES })
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } })
  if (!isKernel(exports)) throw new Error('the kernel lacks an export')
  return { kernel: exports, memory }
}

function isKernel(exports: object): exports is Kernel {
  return 'splitLines' in exports && 'claim' in exports && 'readBody' in exports
}
