import { allocate, setU32, u32At } from './memory'
import { classCount, lengthAt, lengthOf, mostAllowed, population, rankCount, textOf } from './keys'
import { countLetters, LETTER_BYTES } from './letters'
import { drawSketch, sketchBits } from './bigrams'

/** The kept keys of one length, in order, in groups of as many as the lanes of two vectors hold. */
@unmanaged
export class Shelf {
  ids: usize
  count: u32
  /** Width of a lane in bytes: a bit for each diagonal of the band, or 0 when that is too wide. */
  laneBytes: u32
  groupSize: u32
  /** What holding one of its keys against a query costs, in units of the narrowest lane. */
  scanCost: u32
  /** Wide lanes hold few keys, so the letter and bigram bounds are asked first. */
  sketchBits: u32
  letters: usize
  sketches: usize
}

/** Beyond this length the windows of a group would grow out of the processor's cache. */
const LONGEST_IN_LANES: i32 = 1024
const WIDEST_BAND: i32 = 64

let shelves: usize = 0

export function prepareShelves(): void {
  shelves = allocate(<usize>rankCount * offsetof<Shelf>())
  for (let rank: u32 = 0; rank < rankCount; rank++) {
    const shelf = shelfOf(rank), length = lengthAt(rank), diagonals = mostAllowed(rank) + 1
    const inLanes = length <= LONGEST_IN_LANES && diagonals <= WIDEST_BAND
    shelf.laneBytes = !inLanes ? 0 : diagonals <= 8 ? 1 : diagonals <= 16 ? 2 : diagonals <= 32 ? 4 : 8
    shelf.groupSize = inLanes ? 32 / shelf.laneBytes : 1
    shelf.scanCost = inLanes ? min(shelf.laneBytes * 3, 12) : 20
    shelf.sketchBits = shelf.laneBytes == 1 || shelf.laneBytes == 2 ? 0 : sketchBits(length)
  }
}

/** The longest key that ever stands in lanes. */
export function longestInLanes(): i32 {
  let longest = 0
  for (let rank: u32 = 0; rank < rankCount; rank++) if (shelfOf(rank).laneBytes) longest = max(longest, lengthAt(rank))
  return longest
}

@inline
export function shelfOf(rank: u32): Shelf {
  return changetype<Shelf>(shelves + <usize>rank * offsetof<Shelf>())
}

@inline
export function idAt(shelf: Shelf, position: u32): u32 {
  return u32At(shelf.ids, position)
}

@inline
export function lettersAt(shelf: Shelf, position: u32): usize {
  return shelf.letters + <usize>(position * LETTER_BYTES)
}

@inline
export function sketchAt(shelf: Shelf, position: u32): usize {
  return shelf.sketches + <usize>position * <usize>(shelf.sketchBits >> 3)
}

export function putOnShelf(key: u32, rank: u32): void {
  const shelf = shelfOf(rank)
  if (!shelf.ids) makeRoom(shelf, population(rank))
  if (shelf.sketchBits) {
    countLetters(textOf(key), lengthOf(key), lettersAt(shelf, shelf.count))
    drawSketch(textOf(key), lengthOf(key), shelf.sketchBits, sketchAt(shelf, shelf.count))
  }
  setU32(shelf.ids, shelf.count++, key)
}

function makeRoom(shelf: Shelf, most: u32): void {
  shelf.ids = allocate(<usize>most << 2)
  if (!shelf.sketchBits) return
  shelf.letters = allocate(<usize>most * LETTER_BYTES)
  shelf.sketches = allocate(<usize>most * <usize>(shelf.sketchBits >> 3))
}
