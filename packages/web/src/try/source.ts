/** The list at hand. */
export interface Source {
  /** Another one for every list. */
  readonly id: number
  /** Name of the file that was opened; what was typed or pasted has none. */
  readonly name: string | undefined
  /** What stands in the editor, or undefined when the list is too long for one. */
  readonly text: string | undefined
  /** The bytes of a file, or of a paste that is too long to be edited. */
  readonly blob: Blob | undefined
}

/** An editor of more characters than this is slow to type in; what is longer is shown by its beginning. */
const EDITABLE_CHARACTERS = 200_000

let lastId = 0

export function sourceOfText(text: string): Source {
  return { id: ++lastId, name: undefined, text, blob: undefined }
}

/** What was pasted, together with the text around it. */
export function sourceOfPaste(parts: readonly string[]): Source {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length <= EDITABLE_CHARACTERS) return sourceOfText(parts.join(''))
  return { id: ++lastId, name: undefined, text: undefined, blob: new Blob([...parts]) }
}

/** Takes a file in: a short one shows in the editor. It stays the file, byte for byte, until somebody edits it. */
export async function sourceOfFile(file: File): Promise<Source> {
  return {
    id: ++lastId,
    name: file.name,
    blob: file,
    text: file.size > EDITABLE_CHARACTERS ? undefined : await editable(file),
  }
}

/** An editor turns every line break into \n and shows no byte-order mark; a file that has others is not put into one. */
async function editable(file: File): Promise<string | undefined> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer())
    return /[\r\0\ufeff]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
