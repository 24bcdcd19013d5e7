import { type Judged, judgeSource, NoMemory, NotJson, NotUtf8, SEED_BYTES, TooLong } from '@keepfirst/engine/page'
import { exactText } from './exactText.ts'
import type { Task } from './messages.ts'
import { adviceFor } from './recognise.ts'

/*
 * The only place where the page uses the engine.
 */

export type { Judged }

/** The list cannot be read in the chosen way; the message is meant for the user. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** The first bytes of a file, enough to tell that it is not text. */
const FIRST_BYTES = 8

/**
 * Reads a list in slices and finds its duplicates.
 * @param onProgress called with the fraction of the list that has been read, 0 to 1
 * @throws Unreadable when the list cannot be read in the chosen way
 */
export async function dedupe(task: Task, onProgress: (share: number) => void): Promise<Judged> {
  const source = blobOf(task)
  const advice = adviceFor(new Uint8Array(await source.slice(0, FIRST_BYTES).arrayBuffer()))
  if (advice) throw new Unreadable(advice)
  try {
    return await judgeSource(source, task.question, {
      seed: crypto.getRandomValues(new Uint8Array(SEED_BYTES)),
      form: task.form,
      delimiter: task.separator.charCodeAt(0),
      onProgress: (readBytes) => onProgress(source.size === 0 ? 1 : readBytes / source.size),
    })
  } catch (error) {
    throw readable(error)
  }
}

/** @throws Unreadable when a text has a lone surrogate, which a blob would turn into the same character as any other */
function blobOf({ content }: Task): Blob {
  if (typeof content !== 'string') return content
  const lone = content.search(/\p{Surrogate}/u)
  if (lone < 0) return new Blob([content])
  const line = content.slice(0, lone).split('\n').length
  throw new Unreadable(`Line ${line} contains half of a character, which no file can hold. Remove it and try again.`)
}

/** The whole text of a list, or undefined if it is not UTF-8. */
export async function textOf({ content }: Task): Promise<string | undefined> {
  if (typeof content === 'string') return content
  try {
    return await exactText(content)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function readable(error: unknown): unknown {
  if (error instanceof NotJson) return new Unreadable(`This is not JSON: ${error.message}.`)
  if (error instanceof NotUtf8) return new Unreadable('This is not text in UTF-8. Save it as UTF-8 and try again.')
  if (error instanceof TooLong || error instanceof NoMemory || error instanceof RangeError)
    return new Unreadable('This list is too large for this browser. The command line takes lists of any size.')
  return error
}
