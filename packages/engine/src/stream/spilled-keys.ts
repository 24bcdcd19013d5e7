import { ByteReader } from './byte-reader.ts'
import { keysPart, type Spill } from './spill.ts'

/** Words of a hash (or a key's length, when keys are compared byte by byte) before its position. */
const HASH_WORDS = 4
const RECORD_WORDS = 6
const RECORD_BYTES = 24
const POSITION_AT = 2
const RECORDS_PER_BATCH = 1_024
/** Approximate size of a Map entry without the text of its key. */
const ENTRY_BYTES = 100
/** A slot of the table: a hash and a position. */
const SLOT_BYTES = 24
const SMALLEST_SLOTS = 1_024

/** The keys of one partition in the spill, each with the position of its item. */
export class SpilledKeys {
  count = 0
  readonly #spill: Spill
  readonly #part: number
  readonly #exact: boolean
  readonly #record = new Float64Array(RECORD_BYTES / Float64Array.BYTES_PER_ELEMENT)
  readonly #recordBytes = new Uint8Array(this.#record.buffer)
  readonly #recordWords = new Uint32Array(this.#record.buffer)

  /** @param exact whether keys are compared byte by byte rather than by hash */
  constructor(spill: Spill, partition: number, exact: boolean) {
    this.#spill = spill
    this.#part = keysPart(partition)
    this.#exact = exact
  }

  /** Adds a key by its hash: the four words from `hash` on. */
  addHash(words: Uint32Array, hash: number, position: number): void {
    for (let word = 0; word < HASH_WORDS; word++) this.#recordWords[word] = words[hash + word] ?? 0
    this.#record[POSITION_AT] = position
    this.#spill.write(this.#part, this.#recordBytes)
    this.count++
  }

  /** Adds a key by its bytes. */
  addBytes(key: Uint8Array, position: number): void {
    this.#recordWords[0] = key.length
    this.#record[POSITION_AT] = position
    this.#spill.write(this.#part, this.#recordBytes)
    this.#spill.write(this.#part, key)
    this.count++
  }

  /**
   * For each key, in order, its first position. The keys are read several times if their distinct values do not fit in
   * memory at once.
   */
  survivors(memoryBytes: number): Float64Array<ArrayBuffer> {
    const survivors = new Float64Array(this.count).fill(Number.NaN)
    for (let open = this.count; open > 0; ) {
      open -= this.#exact ? this.#judgeBytes(survivors, memoryBytes) : this.#judgeHashes(survivors, memoryBytes)
    }
    return survivors
  }

  #judgeHashes(survivors: Float64Array, memoryBytes: number): number {
    const positions = new HashTable(Math.max(1, Math.floor(memoryBytes / SLOT_BYTES / 2)))
    const reader = new ByteReader(this.#spill.read(this.#part))
    let decided = 0
    for (let index = 0; index < this.count; ) {
      const records = new Float64Array((Math.min(RECORDS_PER_BATCH, this.count - index) * RECORD_BYTES) / 8)
      reader.fill(new Uint8Array(records.buffer))
      const words = new Uint32Array(records.buffer)
      for (let at = 0; at < words.length; at += RECORD_WORDS, index++) {
        if (!Number.isNaN(survivors[index])) continue
        const survivor = positions.getOrInsert(words, at, records[at / 2 + POSITION_AT] ?? 0)
        if (survivor === undefined) continue
        survivors[index] = survivor
        decided++
      }
    }
    return decided
  }

  #judgeBytes(survivors: Float64Array, memoryBytes: number): number {
    const reader = new ByteReader(this.#spill.read(this.#part))
    const positions = new Map<string, number>()
    const latin1 = new TextDecoder('latin1')
    let room = memoryBytes
    let decided = 0
    for (let index = 0; index < this.count; index++) {
      reader.fill(this.#recordBytes)
      const bytes = new Uint8Array(this.#recordWords[0] ?? 0)
      reader.fill(bytes)
      if (!Number.isNaN(survivors[index])) continue
      const position = this.#record[POSITION_AT] ?? 0
      // Decoded as Latin-1, so that each byte becomes a distinct character.
      const key = latin1.decode(bytes)
      const known = positions.get(key)
      if (known === undefined && room <= 0) continue
      if (known === undefined) {
        positions.set(key, position)
        room -= ENTRY_BYTES + 2 * key.length
      }
      survivors[index] = known ?? position
      decided++
    }
    return decided
  }
}

/** Open addressing by the second word, since all keys of a partition share the first bits of the first one. */
class HashTable {
  readonly #most: number
  #used = 0
  #mask = SMALLEST_SLOTS - 1
  #hashes = new Uint32Array(SMALLEST_SLOTS * HASH_WORDS)
  #positions = new Float64Array(SMALLEST_SLOTS).fill(Number.NaN)

  constructor(most: number) {
    this.#most = most
  }

  /** The key's first position, or undefined if the key is new and there is no room for it. */
  getOrInsert(words: Uint32Array, at: number, position: number): number | undefined {
    const slot = this.#slotOf(words, at)
    const known = this.#positions[slot] ?? Number.NaN
    if (!Number.isNaN(known)) return known
    if (this.#used >= this.#most) return undefined
    for (let word = 0; word < HASH_WORDS; word++) this.#hashes[slot * HASH_WORDS + word] = words[at + word] ?? 0
    this.#positions[slot] = position
    if (2 * ++this.#used > this.#mask) this.#grow()
    return position
  }

  /** The slot of a key, or the free slot where it belongs. */
  #slotOf(words: Uint32Array, at: number): number {
    const hashes = this.#hashes
    let slot = (words[at + 1] ?? 0) & this.#mask
    while (!Number.isNaN(this.#positions[slot])) {
      const own = slot * HASH_WORDS
      if (
        hashes[own] === words[at] &&
        hashes[own + 1] === words[at + 1] &&
        hashes[own + 2] === words[at + 2] &&
        hashes[own + 3] === words[at + 3]
      )
        break
      slot = (slot + 1) & this.#mask
    }
    return slot
  }

  #grow(): void {
    const hashes = this.#hashes
    const positions = this.#positions
    const slots = 2 * positions.length
    this.#mask = slots - 1
    this.#hashes = new Uint32Array(slots * HASH_WORDS)
    this.#positions = new Float64Array(slots).fill(Number.NaN)
    for (const [old, position] of positions.entries()) {
      if (Number.isNaN(position)) continue
      const slot = this.#slotOf(hashes, old * HASH_WORDS)
      this.#hashes.set(hashes.subarray(old * HASH_WORDS, (old + 1) * HASH_WORDS), slot * HASH_WORDS)
      this.#positions[slot] = position
    }
  }
}
