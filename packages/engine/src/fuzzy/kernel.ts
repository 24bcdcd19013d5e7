import { compile, hasExports } from '../wasm.ts'
import { kernelBytes } from './kernel.bytes.ts'

/** The exports of the WebAssembly module (assembly/fuzzy). Addresses are in bytes from the start of its memory. */
export interface FuzzyKernel {
  /** Zeroed memory that lives as long as the instance. */
  allocate(bytes: number): number
  /**
   * Sets the input: start offsets, one more than there are keys, and code points, 32 bits each; key i spans `starts[i]`
   * to `starts[i + 1]`.
   */
  takeRequest(keyCount: number, starts: number, points: number, threshold: number, seed: number): void
  prepare(batchSize: number, indexing: boolean): void
  /** @returns the address of a 32-bit position for each key */
  findLeaders(): number
  pairsCompared(): number
}

/** An instance and its memory. */
export interface Opened {
  readonly kernel: FuzzyKernel
  readonly memory: { readonly buffer: ArrayBuffer }
}

const FIRST_PAGES = 16
/** 2 GB, far more than any request needs: keys of 5 MB take some 100 MB at worst. */
const MAX_PAGES = 32_768

let compiled: WebAssembly.Module | undefined

/**
 * Creates an instance with its own memory; dropping both frees everything.
 *
 * The module is compiled on first use, synchronously, from bytes in the package: the same in Node, in a worker and in a
 * page (whose content security policy must allow `'wasm-unsafe-eval'`, and nothing else).
 *
 * @param pause called a few times a second during long work; an error that it throws ends the work
 * @throws Error when the module lacks an export
 */
export function openFuzzyKernel(pause: () => void): Opened {
  compiled ??= compile(kernelBytes)
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MAX_PAGES })
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory, pause } })
  if (!isKernel(exports)) throw new Error('the fuzzy kernel lacks an export')
  return { kernel: exports, memory }
}

function isKernel(exports: object): exports is FuzzyKernel {
  return hasExports(exports, ['allocate', 'takeRequest', 'prepare', 'findLeaders', 'pairsCompared'])
}
