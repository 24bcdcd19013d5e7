import { offers } from '../offers.ts'
import { kernelBytes } from './kernel.bytes.ts'

/** The functions of assembly/stream; addresses and counts are unsigned 32-bit numbers. */
export interface Kernel {
  seedBytes(): number
  itemBytes(): number
  splitLines(items: number, limit: number, from: number, to: number, complete: boolean): number
  splitRows(items: number, limit: number, from: number, to: number, complete: boolean): number
  hashKeys(items: number, count: number, seed: number, blocks: number): void
  gather(items: number, count: number, out: number): number
}

export const PAGE_BYTES = 65_536
const MOST_PAGES = 65_536
/** All that a kernel can address: 4 GB. */
export const MEMORY_BYTES: number = PAGE_BYTES * MOST_PAGES

let compiled: WebAssembly.Module | undefined

/** A kernel with a memory of its own, one page to begin with, 4 GB at most. */
export function openKernel(): { kernel: Kernel; memory: WebAssembly.Memory } {
  compiled ??= new WebAssembly.Module(kernelBytes)
  const memory = new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES })
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } })
  if (!isKernel(exports)) throw new Error('the stream kernel lacks an export')
  return { kernel: exports, memory }
}

function isKernel(exports: object): exports is Kernel {
  return offers(exports, ['seedBytes', 'itemBytes', 'splitLines', 'splitRows', 'hashKeys', 'gather'])
}
