import { COMMA, type Form, Items, Lines, Rows } from '../core/forms.ts'
import { endOfItems } from '../core/judge.ts'
import type { Question } from '../core/questions.ts'
import { ITEMS_PER_BATCH, type Space } from '../core/space.ts'
import { Ends, FoundItems, FoundRows } from './found.ts'
import { afterByteOrderMark, type RequestData } from './parse.ts'

/** A list in a space: how to split it, where its text is, and how its survivors are written. */
export interface List {
  readonly form: Form
  /** Address of the text, within which keys may stay in place. */
  readonly placed: number
  readonly from: number
  readonly to: number
  readonly writing: Writing
}

/** Writes survivors as the content of the answer's `result`. */
export interface Writing {
  /** The text before, between and after the survivors. */
  readonly opening: string
  readonly separator: string
  readonly closing: string
  /** The most bytes that all survivors together can take. */
  readonly mostBytes: number
  /** Writes the survivors among the first `count` items, each followed by the separator; returns the end. */
  write(count: number, to: number): number
}

const RETURN = 0x0d
/** The most bytes that JSON needs to escape a byte. */
const ESCAPED_BYTES = 6

export function openList(space: Space, data: RequestData, { mode, options }: Question): List {
  switch (mode) {
    case 'lines':
      return openLines(space, data, options)
    case 'rows':
      return openRows(space, data, options)
    case 'json':
      return openItems(space, data, options.key)
  }
}

type OptionsOf<Mode extends Question['mode']> = Extract<Question, { mode: Mode }>['options']

function openLines(space: Space, { bytes, count }: RequestData, options: OptionsOf<'lines'>): List {
  const placed = space.place(bytes, 1)
  const to = placed + bytes.length + 1
  // Over HTTP a final break starts one more, empty line; with a break after it, that line ends like the others.
  space.bytes[to - 1] = RETURN
  space.endText(to)
  return {
    form: new Lines(space, { ...options, nullSeparated: false }),
    placed,
    from: placed,
    to,
    writing: {
      opening: '[',
      separator: ',',
      closing: ']',
      mostBytes: ESCAPED_BYTES * bytes.length + 3 * count,
      write: (items, at) => space.kernel.writeLines(space.items, items, at),
    },
  }
}

function openRows(space: Space, { bytes, ends }: RequestData, options: OptionsOf<'rows'>): List {
  const placed = space.place(bytes)
  const to = placed + bytes.length
  const from = afterByteOrderMark(space.bytes, placed, to)
  const rowForm = { ...options, delimiter: COMMA, keepEmpty: false }
  // Fuzzy rows are read twice.
  const form =
    ends && !options.fuzzy ? new FoundRows(space, rowForm, new Ends(space, from, ends)) : new Rows(space, rowForm)
  const scratch = space.allocate(2 * bytes.length + 64)
  return {
    form,
    placed,
    from,
    to,
    writing: {
      opening: '"',
      separator: '\\n',
      closing: '"',
      mostBytes: ESCAPED_BYTES * bytes.length + 64,
      write: (rows, at) => space.kernel.writeRows(space.items, rows, scratch, at),
    },
  }
}

function openItems(space: Space, { bytes, count, ends }: RequestData, key: string): List {
  const placed = space.place(bytes)
  const itemForm = { key, layout: 'array', withSpace: false } as const
  const form =
    ends && key === '' ? new FoundItems(space, itemForm, new Ends(space, placed, ends)) : new Items(space, itemForm)
  return {
    form,
    placed,
    from: placed + 1,
    to: placed + bytes.length,
    writing: {
      opening: '[',
      separator: ',',
      closing: ']',
      mostBytes: bytes.length + count,
      write: (items, at) => space.kernel.writeItems(space.items, items, at),
    },
  }
}

/** Splits a list, batch by batch. */
export function eachBatch(space: Space, { form, from, to }: List, take: (count: number) => void): void {
  for (let at = from; at < to; ) {
    const count = form.split(ITEMS_PER_BATCH, at, to, true)
    if (count === 0) return
    take(count)
    at = endOfItems(space, count)
  }
}
