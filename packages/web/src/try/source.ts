import { exactText } from './exactText.ts'

/** The current list. */
export interface Source {
  /** Different for every list. */
  readonly id: number
  /** Name of an opened file; typed or pasted text has none. */
  readonly name: string | undefined
  /** The editor's content, or undefined if the list is too long for the editor. */
  readonly text: string | undefined
  /** The bytes of a file, or of a paste that is too long to edit. */
  readonly blob: Blob | undefined
  /** How many files were dropped together with it; they are not opened. */
  readonly others: number
}

/** Above this many characters typing becomes slow; only the beginning of longer lists is shown. */
const EDITABLE_CHARACTERS = 200_000

let lastId = 0

/** Accepts text that was typed, or pasted into an empty editor. */
export function sourceOfText(text: string): Source {
  return { id: ++lastId, name: undefined, text, blob: undefined, others: 0 }
}

/** Pasted text together with the text around it. */
export function sourceOfPaste(parts: readonly string[]): Source {
  const text = parts.join('')
  // A blob would hide a lone surrogate, about which there is a message.
  if (text.length <= EDITABLE_CHARACTERS || !text.isWellFormed()) return sourceOfText(text)
  return { id: ++lastId, name: undefined, text: undefined, blob: new Blob([text]), others: 0 }
}

/** Accepts a file; a short one is shown in the editor. It remains the file, byte for byte, until it is edited. */
export async function sourceOfFile(file: File, others: number): Promise<Source> {
  return {
    id: ++lastId,
    name: file.name,
    blob: file,
    text: file.size > EDITABLE_CHARACTERS ? undefined : await editable(file),
    others,
  }
}

/**
 * An editor turns every line break into \n and hides a byte-order mark; files that contain other breaks or a mark are
 * not opened in it.
 */
async function editable(file: File): Promise<string | undefined> {
  try {
    const text = await exactText(file)
    return /[\r\0\ufeff]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
