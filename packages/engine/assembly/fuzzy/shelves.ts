import { allocate, setU32, u32At } from './memory'
import { lengthAt, lengthOf, mostAllowed, population, rankCount, textOf } from './keys'
import { countLetters, LETTER_BYTES } from './letters'
import { drawSketch, sketchBits } from './bigrams'
import { isWide, laneKind } from './lanes'

/** The kept keys of one length, in order. */
@unmanaged
export class Shelf {
  ids: usize
  count: u32
  /** Size of the sketches of keys that may be compared in wide lanes; 0 when none are, and nothing is counted. */
  sketchBits: u32
  letters: usize
  sketches: usize
}

let shelves: usize = 0

export function prepareShelves(): void {
  shelves = allocate(<usize>rankCount * offsetof<Shelf>())
  for (let rank: u32 = 0; rank < rankCount; rank++) {
    const length = lengthAt(rank), most = mostAllowed(rank)
    shelfOf(rank).sketchBits = isWide(laneKind(length, length, most)) ? sketchBits(length) : 0
  }
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
