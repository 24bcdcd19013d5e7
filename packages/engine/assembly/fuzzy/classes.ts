import { allocate, setU32, u32At } from './memory'

/**
 * Maps characters to classes of one byte for the searches. The most frequent code points each have their own class; if
 * there are more than 64, the rarer ones share classes evenly.
 */
const MAX_CLASSES: u32 = 64

/** The code points that occur and their frequencies, which become 0 once they have a class. */
let distinct: u32 = 0
let occurring: usize = 0
let frequencies: usize = 0
let classOf: usize = 0

export let classCount: u32 = 0
/** Whether keys with equal classes may still differ in code points. */
export let classesAreShared: bool = false

/** Writes the class of each of the code points at `points` to `classes`. */
export function classify(points: usize, count: u32, classes: usize): void {
  countPoints(points, count)
  classCount = min(distinct, MAX_CLASSES)
  classesAreShared = distinct > MAX_CLASSES
  for (let c: u32 = 0; c < classCount; c++) giveClass(mostFrequent(), c)
  for (let i: u32 = 0; i < distinct; i++) {
    const point = u32At(occurring, i)
    if (u32At(frequencies, point)) giveClass(point, i % MAX_CLASSES)
  }
  for (let i: u32 = 0; i < count; i++) store<u8>(classes + i, load<u8>(classOf + u32At(points, i)))
}

function countPoints(points: usize, count: u32): void {
  let end: u32 = 0
  for (let i: u32 = 0; i < count; i++) end = max(end, u32At(points, i) + 1)
  frequencies = allocate((<usize>end) << 2)
  classOf = allocate(end)
  occurring = allocate((<usize>min(end, count)) << 2)
  distinct = 0
  for (let i: u32 = 0; i < count; i++) {
    const point = u32At(points, i)
    const frequency = u32At(frequencies, point)
    if (!frequency) setU32(occurring, distinct++, point)
    setU32(frequencies, point, frequency + 1)
  }
}

function giveClass(point: u32, c: u32): void {
  store<u8>(classOf + point, <u8>c)
  setU32(frequencies, point, 0)
}

function mostFrequent(): u32 {
  let best = u32At(occurring, 0)
  for (let i: u32 = 1; i < distinct; i++) {
    const point = u32At(occurring, i)
    if (u32At(frequencies, point) > u32At(frequencies, best)) best = point
  }
  return best
}
