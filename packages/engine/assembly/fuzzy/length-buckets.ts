import { canTellApart, drawSketch, sketchBits } from './bigrams'
import { lengthAt, lengthOf, mostAllowed, population, rankCount, rankOf, textOf } from './keys'
import { allocateBlocks, putLetters } from './letters'
import { allocate, setU32, u32At } from './memory'

/** The kept keys of one length, in order, with what the bounds need. */
@unmanaged
export class Bucket {
  ids: usize
  count: u32
  /** Size of the sketches; 0 if the bigram bound cannot distinguish any keys. */
  sketchBits: u32
  /** Blocks of the letter bound. */
  letters: usize
  sketches: usize
}

let buckets: usize = 0

export function prepareBuckets(): void {
  buckets = allocate(<usize>rankCount * offsetof<Bucket>())
  for (let rank: u32 = 0; rank < rankCount; rank++) {
    const length = lengthAt(rank)
    bucketOf(rank).sketchBits = canTellApart(length, mostAllowed(rank)) ? sketchBits(length) : 0
  }
}

@inline
export function bucketOf(rank: u32): Bucket {
  return changetype<Bucket>(buckets + <usize>rank * offsetof<Bucket>())
}

@inline
export function idAt(bucket: Bucket, position: u32): u32 {
  return u32At(bucket.ids, position)
}

@inline
export function sketchAt(bucket: Bucket, position: u32): usize {
  return bucket.sketches + <usize>position * <usize>(bucket.sketchBits >> 3)
}

export function addToBucket(key: u32): void {
  const bucket = bucketOf(rankOf(key))
  if (!bucket.ids) makeRoom(bucket, population(rankOf(key)))
  putLetters(textOf(key), lengthOf(key), bucket.letters, bucket.count)
  if (bucket.sketchBits) drawSketch(textOf(key), lengthOf(key), bucket.sketchBits, sketchAt(bucket, bucket.count))
  setU32(bucket.ids, bucket.count++, key)
}

function makeRoom(bucket: Bucket, most: u32): void {
  bucket.ids = allocate((<usize>most) << 2)
  bucket.letters = allocateBlocks(most)
  bucket.sketches = allocate(<usize>most * <usize>(bucket.sketchBits >> 3))
}
