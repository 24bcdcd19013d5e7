/*
 * Detects a file's format from its first bytes, whatever its name.
 */

/** Bytes to look at, at most, when telling a workbook from other zip archives. */
export const HEAD_BYTES = 4_096

/**
 * - `plain`: text, read as it is
 * - `gzip`: unpacked while it is read
 * - `unreadable`: `is` completes "FILE …"; `filter` is a program that writes the file as plain text to standard output;
 * `step` says what to do when there is no such program
 */
export type Format =
  | { readonly kind: 'plain' | 'gzip' }
  | { readonly kind: 'unreadable'; readonly is: string; readonly filter: string }
  | { readonly kind: 'unreadable'; readonly is: string; readonly step: string }

interface Magic {
  readonly bytes: readonly (number | undefined)[]
  readonly format: Format
}

const PLAIN: Format = { kind: 'plain' }
const WORKBOOK: Format = {
  kind: 'unreadable',
  is: 'is a workbook, not text',
  step: 'save it as CSV in the program that made it, and take that file',
}

function filtered(is: string, filter: string, ...magics: readonly (readonly (number | undefined)[])[]): Magic[] {
  return magics.map((bytes) => ({ bytes, format: { kind: 'unreadable', is, filter } }))
}

const letters = (text: string): number[] => [...Buffer.from(text, 'latin1')]
const ARCHIVE = filtered('is a zip archive', 'unzip -p', letters('PK\x03\x04'), letters('PK\x05\x06'))
const ANY = undefined

/** The byte-order mark of UTF-32 begins with that of UTF-16, so it comes first. */
const MAGICS: readonly Magic[] = [
  { bytes: [0x1f, 0x8b, 0x08], format: { kind: 'gzip' } },
  ...filtered('is UTF-32 text', 'iconv -f UTF-32 -t UTF-8', [0xff, 0xfe, 0, 0], [0, 0, 0xfe, 0xff]),
  ...filtered('is UTF-16 text', 'iconv -f UTF-16 -t UTF-8', [0xff, 0xfe], [0xfe, 0xff]),
  ...filtered('is compressed with zstd', 'zstd -dc', [0x28, 0xb5, 0x2f, 0xfd], [0x50, 0x2a, 0x4d, 0x18]),
  ...filtered('is compressed with xz', 'xz -dc', [0xfd, ...letters('7zXZ'), 0]),
  ...filtered(
    'is compressed with bzip2',
    'bzip2 -dc',
    [...letters('BZh'), ANY, ...letters('1AY&SY')],
    [...letters('BZh'), ANY, 0x17, ...letters('rE8P'), 0x90],
  ),
  ...filtered('is compressed with lz4', 'lz4 -dc', [0x04, 0x22, 0x4d, 0x18]),
  ...filtered('is compressed with lzip', 'lzip -dc', [...letters('LZIP'), 1]),
  ...filtered('is compressed with compress', 'gzip -dc', [0x1f, 0x9d]),
  ...filtered('is a 7z archive', '7z x -so', [...letters('7z'), 0xbc, 0xaf, 0x27, 0x1c]),
  ...filtered('is a rar archive', 'unrar p -inul', [...letters('Rar!'), 0x1a, 0x07]),
  ...ARCHIVE,
  { bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], format: WORKBOOK },
]

/** Names of archive members found in workbooks of Excel, LibreOffice and Numbers. */
const WORKBOOK_PARTS =
  /xl\/|\[Content_Types\]\.xml|_rels\/\.rels|docProps\/|opendocument\.spreadsheet|Index\/Document\.iwa/

/**
 * Detects a file's format.
 * @param head the file's first bytes
 * @param isWhole whether `head` is the whole file
 * @returns undefined when more bytes are needed
 */
export function formatOf(head: Uint8Array, isWhole: boolean): Format | undefined {
  for (const { bytes, format } of MAGICS) {
    const differs = bytes.findIndex((byte, at) => at >= head.length || (byte !== ANY && byte !== head[at]))
    if (differs < 0) return isArchive(format) ? archiveOrWorkbook(head, isWhole, format) : format
    if (differs >= head.length && !isWhole) return undefined
  }
  return PLAIN
}

function isArchive(format: Format): boolean {
  return ARCHIVE.some((archive) => archive.format === format)
}

function archiveOrWorkbook(head: Uint8Array, isWhole: boolean, archive: Format): Format | undefined {
  if (WORKBOOK_PARTS.test(Buffer.from(head).toString('latin1'))) return WORKBOOK
  return isWhole || head.length >= HEAD_BYTES ? archive : undefined
}
