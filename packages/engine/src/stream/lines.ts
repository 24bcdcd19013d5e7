import { writeLowerCase } from './lowercase.ts'
import { type Mode, NEWLINE } from './sifter.ts'
import { ITEM, type Workspace } from './workspace.ts'

export interface LineStreamOptions {
  trim: boolean
  ignoreCase: boolean
  dropEmpty: boolean
}

/** Lines as specification 2.2 has them, but that a final line break ends the last line. */
export class LinesMode implements Mode {
  readonly usualBreak: Uint8Array = NEWLINE
  readonly #space: Workspace
  readonly #options: LineStreamOptions

  constructor(space: Workspace, options: LineStreamOptions) {
    this.#space = space
    this.#options = options
  }

  split(limit: number, from: number, to: number, complete: boolean): number {
    return this.#space.kernel.splitLines(this.#space.items, limit, from, to, complete)
  }

  setKeys(count: number): number {
    if (this.#options.trim) for (let i = 0; i < count; i++) this.#trim(this.#space.item(i))
    if (this.#options.ignoreCase) setLowerCaseKeys(this.#space, count)
    return count
  }

  isDiscarded(item: number): boolean {
    const { words } = this.#space
    return this.#options.dropEmpty && words[item + ITEM.start] === words[item + ITEM.end]
  }

  #trim(item: number): void {
    const { words, bytes } = this.#space
    let start = words[item + ITEM.start] ?? 0
    let end = words[item + ITEM.end] ?? 0
    for (let space = 1; space > 0 && start < end; start += space) space = spaceAt(bytes, start, end)
    for (let space = 1; space > 0 && start < end; end -= space) space = spaceBefore(bytes, start, end)
    words[item + ITEM.start] = words[item + ITEM.keyStart] = start
    words[item + ITEM.end] = words[item + ITEM.keyEnd] = end
  }
}

/** Writes the lower-case form of each key to the room for keys. */
function setLowerCaseKeys(space: Workspace, count: number): void {
  const { words, bytes } = space
  let out = space.keys
  for (let i = 0; i < count; i++) {
    const item = space.item(i)
    const end = writeLowerCase(bytes, words[item + ITEM.keyStart] ?? 0, words[item + ITEM.keyEnd] ?? 0, out)
    words[item + ITEM.keyStart] = out
    words[item + ITEM.keyEnd] = end
    out = end
  }
}

/** The length of the white space (ECMAScript's, as `trim()` takes it) that begins at `at`; 0 for anything else. */
function spaceAt(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] ?? 0
  if (first === 0x20 || (first >= 0x09 && first <= 0x0d)) return 1
  if (first < 0xc2 || at + 1 >= end) return 0
  const second = bytes[at + 1] ?? 0
  if (first === 0xc2) return second === 0xa0 ? 2 : 0
  if (at + 2 >= end) return 0
  return WIDE_SPACES.has((first << 16) | (second << 8) | (bytes[at + 2] ?? 0)) ? 3 : 0
}

function spaceBefore(bytes: Uint8Array, start: number, end: number): number {
  for (let length = 1; length <= 3 && end - length >= start; length++) {
    if (spaceAt(bytes, end - length, end) === length) return length
  }
  return 0
}

/** The white space that takes three bytes of UTF-8: U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000, U+FEFF. */
const WIDE_SPACES: ReadonlySet<number> = new Set([
  0xe19a80, 0xe28080, 0xe28081, 0xe28082, 0xe28083, 0xe28084, 0xe28085, 0xe28086, 0xe28087, 0xe28088, 0xe28089,
  0xe2808a, 0xe280a8, 0xe280a9, 0xe280af, 0xe2819f, 0xe38080, 0xefbbbf,
])
