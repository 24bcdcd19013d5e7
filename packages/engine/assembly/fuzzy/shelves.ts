import { allocate, setU32, u32At } from './memory'
import { lengthAt, lengthOf, mostAllowed, population, rankCount, rankOf, textOf } from './keys'
import { allocateBlocks, putLetters } from './letters'
import { canTellApart, drawSketch, sketchBits } from './bigrams'

/** The kept keys of one length, in order, with what the bounds ask of them. */
@unmanaged
export class Shelf {
  ids: usize
  count: u32
  /** Size of the sketches, or 0 where the bigram bound can't tell any keys apart. */
  sketchBits: u32
  /** Blocks of the letter bound. */
  letters: usize
  sketches: usize
}

let shelves: usize = 0

export function prepareShelves(): void {
  shelves = allocate(<usize>rankCount * offsetof<Shelf>())
  for (let rank: u32 = 0; rank < rankCount; rank++) {
    const length = lengthAt(rank)
    shelfOf(rank).sketchBits = canTellApart(length, mostAllowed(rank)) ? sketchBits(length) : 0
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
export function sketchAt(shelf: Shelf, position: u32): usize {
  return shelf.sketches + <usize>position * <usize>(shelf.sketchBits >> 3)
}

export function putOnShelf(key: u32): void {
  const shelf = shelfOf(rankOf(key))
  if (!shelf.ids) makeRoom(shelf, population(rankOf(key)))
  putLetters(textOf(key), lengthOf(key), shelf.letters, shelf.count)
  if (shelf.sketchBits) drawSketch(textOf(key), lengthOf(key), shelf.sketchBits, sketchAt(shelf, shelf.count))
  setU32(shelf.ids, shelf.count++, key)
}

function makeRoom(shelf: Shelf, most: u32): void {
  shelf.ids = allocate(<usize>most << 2)
  shelf.letters = allocateBlocks(most)
  shelf.sketches = allocate(<usize>most * <usize>(shelf.sketchBits >> 3))
}
