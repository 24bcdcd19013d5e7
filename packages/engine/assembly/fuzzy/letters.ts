/**
 * The letter bound (Ukkonen 1992 with q = 1): one edit takes away at most one letter that the other key lacks, so
 * the letters of one key that the other does not have, counted with repetition, never exceed the distance.
 * Letters fall into 32 groups and counts stop at 255; both can only lower the bound.
 */
export const LETTER_BYTES: u32 = 32

export function countLetters(text: usize, length: i32, counts: usize): void {
  memory.fill(counts, 0, LETTER_BYTES)
  for (let i = 0; i < length; i++) {
    const at = counts + (load<u8>(text + i) & 31)
    const count = load<u8>(at)
    if (count < 255) store<u8>(at, count + 1)
  }
}

/** Letters of `a` (n of them) beyond those of `b` (m of them), or the reverse where that is more. */
@inline
export function lettersApart(a: usize, b: usize, n: i32, m: i32): i32 {
  const low = v128.sub_sat<u8>(v128.load(a), v128.load(b))
  const high = v128.sub_sat<u8>(v128.load(a, 16), v128.load(b, 16))
  const sums = i32x4.extadd_pairwise_i16x8_u(
    v128.add<u16>(i16x8.extadd_pairwise_i8x16_u(low), i16x8.extadd_pairwise_i8x16_u(high)))
  const halves = v128.add<u32>(sums, v128.shuffle<u32>(sums, sums, 2, 3, 0, 1))
  const surplus = i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1)
  return max(surplus, surplus - (n - m))
}
