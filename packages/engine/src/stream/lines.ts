import { Lines } from '../core/forms.ts'
import type { Space } from '../core/space.ts'
import { type Mode, NEWLINE } from './mode.ts'

export interface LineStreamOptions {
  trim: boolean
  ignoreCase: boolean
  dropEmpty: boolean
  /** Items end with a NUL byte instead of a line break. */
  nullSeparated?: boolean
}

const NULL: Uint8Array = Uint8Array.of(0)

/** Lines as in specification 2.2, except that a final line break ends the last line. */
export class LinesMode extends Lines implements Mode {
  readonly usualBreak: Uint8Array

  constructor(space: Space, { nullSeparated = false, ...options }: LineStreamOptions) {
    super(space, { ...options, nullSeparated })
    this.usualBreak = nullSeparated ? NULL : NEWLINE
  }
}
