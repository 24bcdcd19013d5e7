import type { Sifting, StreamOptions } from '../../src/stream/index.ts'
import type { Answer } from '../reference/stream.ts'
import { seed } from '../support/seed.ts'

const encoder = new TextEncoder()

export interface Dropped {
  item: string
  position: number
  survivor: number
}

/** Cuts bytes into pieces of the given lengths, which are used in turn. */
export function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? bytes.length
    pieces.push(bytes.slice(at, at + length))
    at += length
  }
  return pieces
}

const SEED = seed()

/** Deduplicates files, each cut into pieces, and collects the output as text. */
export function deduplicateFiles(
  files: readonly (string | Uint8Array)[],
  make: (stream: StreamOptions) => Sifting,
  how: { lengths?: readonly number[]; exact?: boolean } = {},
): Answer & { dropped: Dropped[]; header: string | undefined } {
  const parts: Buffer[] = []
  const dropped: Dropped[] = []
  let header: string | undefined
  const deduplicator = make({
    random: SEED,
    exact: how.exact ?? false,
    sink: {
      kept: (bytes) => parts.push(Buffer.from(bytes)),
      removed: (bytes, position, survivor) => dropped.push({ item: Buffer.from(bytes).toString(), position, survivor }),
      header: (bytes) => {
        header = Buffer.from(bytes).toString()
      },
    },
  })
  for (const file of files) {
    const bytes = typeof file === 'string' ? encoder.encode(file) : file
    for (const piece of cut(bytes, how.lengths ?? [bytes.length])) deduplicator.push(piece)
    deduplicator.endFile()
  }
  deduplicator.end()
  const { kept, removed, withKey, emptyKeys } = deduplicator
  return { output: Buffer.concat(parts).toString(), kept, removed, withKey, emptyKeys, dropped, header }
}
