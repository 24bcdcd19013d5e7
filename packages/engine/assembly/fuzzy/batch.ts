import { drawSketch, LARGEST_SKETCH_BITS } from './bigrams'
import { lengthOf, textOf } from './keys'
import { LIST_BYTES, listLetters } from './letters'
import { allocate, setU32, u32At } from './memory'

/** The keys that are compared at the same time with those kept earlier, and what the bounds need to know of each. */
export let batchSize: u32 = 0
let first: u32 = 0

/** Sketches of all sizes for one key: the one with b bits is b / 8 bytes from the start. */
const SKETCHES_BYTES: usize = LARGEST_SKETCH_BITS >> 2
let lists: usize = 0
let sketches: usize = 0
let drawn: usize = 0

export function prepareBatch(size: u32): void {
  batchSize = size
  lists = allocate(<usize>size * LIST_BYTES)
  sketches = allocate(<usize>size * SKETCHES_BYTES)
  drawn = allocate((<usize>size) << 2)
}

export function openBatch(start: u32, end: u32): void {
  first = start
  memory.fill(drawn, 0, (<usize>batchSize) << 2)
  for (let key = start; key < end; key++) listLetters(textOf(key), lengthOf(key), lettersOf(key))
}

@inline
export function lettersOf(key: u32): usize {
  return lists + <usize>((key - first) * LIST_BYTES)
}

/** Computed on first use. */
export function sketchOf(key: u32, bits: u32): usize {
  const slot = key - first
  const sketch = sketches + <usize>slot * SKETCHES_BYTES + (bits >> 3)
  if (u32At(drawn, slot) & bits) return sketch
  setU32(drawn, slot, u32At(drawn, slot) | bits)
  drawSketch(textOf(key), lengthOf(key), bits, sketch)
  return sketch
}
