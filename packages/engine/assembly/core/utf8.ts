/**
 * Validates UTF-8. Each byte is judged by three look-ups (Keiser and Lemire, "Validating UTF-8 in less than one
 * instruction per byte", Software: Practice and Experience 2021): the two halves of the previous byte and the upper
 * half of the byte itself each give the errors they may be part of; an error is what all three have in common.
 */
const TOO_SHORT: u8 = 1 << 0
const TOO_LONG: u8 = 1 << 1
const OVERLONG_3: u8 = 1 << 2
const TOO_LARGE: u8 = 1 << 3
const SURROGATE: u8 = 1 << 4
const OVERLONG_2: u8 = 1 << 5
const TOO_LARGE_1000: u8 = 1 << 6
const OVERLONG_4: u8 = 1 << 6
const TWO_CONTINUATIONS: u8 = 1 << 7
const CARRY: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS

/** By the upper half of the previous byte. */
@inline
function byFirstHigh(index: v128): v128 {
  return i8x16.swizzle(
    i8x16(
      TOO_LONG,
      TOO_LONG,
      TOO_LONG,
      TOO_LONG,
      TOO_LONG,
      TOO_LONG,
      TOO_LONG,
      TOO_LONG,
      TWO_CONTINUATIONS,
      TWO_CONTINUATIONS,
      TWO_CONTINUATIONS,
      TWO_CONTINUATIONS,
      TOO_SHORT | OVERLONG_2,
      TOO_SHORT,
      TOO_SHORT | OVERLONG_3 | SURROGATE,
      TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4,
    ),
    index,
  )
}

/** By the lower half of the previous byte. */
@inline
function byFirstLow(index: v128): v128 {
  return i8x16.swizzle(
    i8x16(
      CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4,
      CARRY | OVERLONG_2,
      CARRY,
      CARRY,
      CARRY | TOO_LARGE,
      CARRY | TOO_LARGE | TOO_LARGE_1000,
      CARRY | TOO_LARGE | TOO_LARGE_1000,
      CARRY | TOO_LARGE | TOO_LARGE_1000,
      CARRY | TOO_LARGE | TOO_LARGE_1000,
      CARRY | TOO_LARGE | TOO_LARGE_1000,
      CARRY | TOO_LARGE | TOO_LARGE_1000,
      CARRY | TOO_LARGE | TOO_LARGE_1000,
      CARRY | TOO_LARGE | TOO_LARGE_1000,
      CARRY | TOO_LARGE | TOO_LARGE_1000 | SURROGATE,
      CARRY | TOO_LARGE | TOO_LARGE_1000,
      CARRY | TOO_LARGE | TOO_LARGE_1000,
    ),
    index,
  )
}

/** By the upper half of the byte itself. */
@inline
function bySecondHigh(index: v128): v128 {
  return i8x16.swizzle(
    i8x16(
      TOO_SHORT,
      TOO_SHORT,
      TOO_SHORT,
      TOO_SHORT,
      TOO_SHORT,
      TOO_SHORT,
      TOO_SHORT,
      TOO_SHORT,
      TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4,
      TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE,
      TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | SURROGATE | TOO_LARGE,
      TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | SURROGATE | TOO_LARGE,
      TOO_SHORT,
      TOO_SHORT,
      TOO_SHORT,
      TOO_SHORT,
    ),
    index,
  )
}

@inline
function errorsIn(now: v128, before: v128): v128 {
  const first = i8x16.shuffle(before, now, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
  const low = i8x16.splat(0x0f)
  const special = v128.and(
    v128.and(byFirstHigh(i8x16.shr_u(first, 4)), byFirstLow(v128.and(first, low))),
    bySecondHigh(i8x16.shr_u(now, 4)),
  )
  // If the second or third previous byte starts a character of three or four bytes, this must be a continuation byte.
  const second = i8x16.shuffle(before, now, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29)
  const third = i8x16.shuffle(before, now, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28)
  const must = v128.or(i8x16.sub_sat_u(second, i8x16.splat(<i8>0xdf)), i8x16.sub_sat_u(third, i8x16.splat(<i8>0xef)))
  const mustContinue = v128.and(i8x16.gt_u(must, i8x16.splat(0)), i8x16.splat(TWO_CONTINUATIONS))
  return v128.xor(mustContinue, special)
}

/** The block at `at`, with zeros from `to` on. */
function blockBefore(at: usize, to: usize): v128 {
  const block = v128.load(at)
  const length = to - at
  if (length >= 16) return block
  const low = length >= 8 ? ~(<u64>0) : length ? ~(<u64>0) >> (64 - ((<u64>length) << 3)) : 0
  const high = length > 8 ? ~(<u64>0) >> (128 - ((<u64>length) << 3)) : 0
  return v128.and(block, i64x2(low, high))
}

/**
 * Whether the bytes from `from` to `to` are valid UTF-8. Reads up to 15 bytes more.
 */
export function isUtf8(from: usize, to: usize): bool {
  let before = i8x16.splat(0)
  let errors = i8x16.splat(0)
  let isAscii = true
  for (let at = from; at < to; at += 16) {
    const block = blockBefore(at, to)
    if (i8x16.bitmask(block)) {
      errors = v128.or(errors, errorsIn(block, before))
      isAscii = false
    } else if (!isAscii) {
      errors = v128.or(errors, errorsIn(block, before))
      isAscii = true
    }
    before = block
  }
  // Zeros follow the end, so a character that is cut off counts as too short.
  errors = v128.or(errors, errorsIn(i8x16.splat(0), before))
  return !v128.any_true(errors)
}
