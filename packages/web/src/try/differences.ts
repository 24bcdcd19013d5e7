import { diffChars } from 'diff'
import type { Piece } from './messages.ts'

/** Cells that differ by more than this are marked as a whole, since marking single letters would not help. */
const MAX_EDITS = 400

/**
 * The cells of a removed entry and of its survivor, split where their characters differ. A missing cell counts as
 * empty.
 */
export function differences(
  removed: readonly string[],
  survivor: readonly string[],
): [removed: Piece[][], survivor: Piece[][]] {
  const columns = Array.from({ length: Math.max(removed.length, survivor.length) }, (_, column) =>
    cellDifferences(removed[column] ?? '', survivor[column] ?? ''),
  )
  return [columns.map(([ours]) => ours), columns.map(([, theirs]) => theirs)]
}

function cellDifferences(removed: string, survivor: string): [Piece[], Piece[]] {
  if (removed === survivor) return [plain(removed), plain(survivor)]
  const changes = diffChars(survivor, removed, { maxEditLength: MAX_EDITS })
  if (!changes) return [[{ text: removed, differs: true }], [{ text: survivor, differs: true }]]
  const ours: Piece[] = []
  const theirs: Piece[] = []
  for (const { value, added, removed: isGone } of changes) {
    ours.push(isGone ? GAP : { text: value, differs: added })
    theirs.push(added ? GAP : { text: value, differs: isGone })
  }
  return [withoutNeedlessGaps(ours), withoutNeedlessGaps(theirs)]
}

const GAP: Piece = { text: '', differs: true }

/** A gap next to a marked piece adds nothing. */
function withoutNeedlessGaps(pieces: readonly Piece[]): Piece[] {
  return pieces.filter((piece, at) => piece !== GAP || !(pieces[at - 1]?.differs || pieces[at + 1]?.differs))
}

/** A cell in which nothing is marked. */
export function plain(text: string): Piece[] {
  return [{ text, differs: false }]
}
