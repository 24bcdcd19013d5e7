import { type JsonValue, readJson } from '@keepfirst/engine'

/**
 * A body as one JSON value, or undefined when it is none. Bytes that are no UTF-8 are not mended: different values
 * would become equal. A leading byte-order mark is skipped.
 */
export function readBodyJson(body: ArrayBuffer | Uint8Array): JsonValue | undefined {
  try {
    return readJson(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (fault) {
    if (fault instanceof TypeError) return undefined
    throw fault
  }
}
