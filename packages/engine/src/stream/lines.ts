import { Lines } from '../core/forms.ts'
import type { Space } from '../core/space.ts'
import { type Mode, NEWLINE } from './mode.ts'

export interface LineStreamOptions {
  trim: boolean
  ignoreCase: boolean
  dropEmpty: boolean
  /** Items end at bytes 0 instead of line breaks. */
  nullSeparated?: boolean
}

const NULL: Uint8Array = Uint8Array.of(0)

/** Lines as specification 2.2 has them, but that a final line break ends the last line. */
export class LinesMode extends Lines implements Mode {
  readonly usualBreak: Uint8Array

  constructor(space: Space, { nullSeparated = false, ...options }: LineStreamOptions) {
    super(space, { ...options, nullSeparated })
    this.usualBreak = nullSeparated ? NULL : NEWLINE
  }
}
