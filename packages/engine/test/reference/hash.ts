const BLOCK_BYTES = 1_024
const LANES = 4
const WORD = 1n << 64n

/**
 * The hash of assembly/core/hash.ts, computed directly from its definition with integers of any size.
 * @returns four 32-bit lanes
 */
export function referenceHash(key: Uint8Array, seed: Uint8Array): number[] {
  let bytes = key
  let level = 0
  while (bytes.length > BLOCK_BYTES) {
    const blocks: number[] = []
    for (let at = 0; at < bytes.length; at += BLOCK_BYTES)
      blocks.push(...hashBlock(bytes.subarray(at, at + BLOCK_BYTES), seed, level))
    bytes = new Uint8Array(Uint32Array.from(blocks).buffer)
    level++
  }
  return hashBlock(bytes, seed, level)
}

function hashBlock(block: Uint8Array, seed: Uint8Array, level: number): number[] {
  const randomWords = new DataView(seed.buffer, level * (64 + 8 * BLOCK_BYTES))
  const random = (pair: number, half: number, lane: number) =>
    randomWords.getBigUint64(pair * 64 + half * 32 + lane * 8, true)
  const padded = new Uint8Array(Math.ceil(block.length / 8) * 8)
  padded.set(block)
  const words = new DataView(padded.buffer)
  return Array.from({ length: LANES }, (_, lane) => {
    let sum = random(0, 0, lane) + random(0, 1, lane) * BigInt(block.length)
    for (let pair = 0; pair * 8 < block.length; pair++) {
      const first = BigInt(words.getUint32(pair * 8, true))
      const second = BigInt(words.getUint32(pair * 8 + 4, true))
      sum += (random(pair + 1, 0, lane) + first) * (random(pair + 1, 1, lane) + second)
    }
    return Number((sum % WORD) >> 32n)
  })
}

const HALF_WORD = 1n << 32n

/** The short hash of assembly/core/hash.ts, for keys up to the length of a block, as two 32-bit words. */
export function referenceShortHash(key: Uint8Array, seed: Uint8Array): number[] {
  const random = new DataView(seed.buffer)
  const padded = new Uint8Array(Math.ceil(key.length / 16) * 16)
  padded.set(key)
  const words = new DataView(padded.buffer)
  const term = (at: number) => BigInt(words.getUint32(at, true) + random.getUint32(64 + at, true)) % HALF_WORD
  let sum = random.getBigUint64(0, true) + random.getBigUint64(32, true) * BigInt(key.length)
  for (let at = 0; at < key.length; at += 16) sum += term(at) * term(at + 8) + term(at + 4) * term(at + 12)
  sum %= WORD
  sum = ((sum ^ (sum >> 30n)) * 0xbf58476d1ce4e5b9n) % WORD
  sum = ((sum ^ (sum >> 27n)) * 0x94d049bb133111ebn) % WORD
  sum ^= sum >> 31n
  return [Number(sum % HALF_WORD), Number(sum / HALF_WORD)]
}
