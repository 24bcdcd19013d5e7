import { type JsonValue, readJson } from '@keepfirst/engine'

/**
 * Those members of a body's object that bear one of the names (none when the body is another JSON value), or
 * undefined when the body is no JSON. Bytes that are no UTF-8 are not mended: different values would become equal.
 * A leading byte-order mark is skipped.
 */
export function readBodyMembers(
  body: ArrayBuffer | Uint8Array,
  names: ReadonlySet<string>,
): ReadonlyMap<string, JsonValue> | undefined {
  try {
    return readJson(new TextDecoder('utf-8', { fatal: true }).decode(body), names)?.members
  } catch (fault) {
    if (fault instanceof TypeError) return undefined
    throw fault
  }
}
