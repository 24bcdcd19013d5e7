import type { ReactElement } from 'preact/compat'
import type { Piece } from './messages.ts'

const LINE_BREAKS = /\r\n|\n|\r/g

/** The text of a cell with its differences marked and its line breaks visible; on one line unless it is opened. */
export function Pieces({ pieces, opened = false }: { pieces: readonly Piece[]; opened?: boolean }): ReactElement {
  if (opened && pieces.every(({ text, differs }) => text === '' && !differs)) return <i className="muted">empty</i>
  return (
    <>
      {pieces.map(({ text, differs }, at) => {
        const shown = text.replace(LINE_BREAKS, opened ? '↵\n' : '↵')
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by position
        return differs ? <mark key={at}>{shown}</mark> : <span key={at}>{shown}</span>
      })}
    </>
  )
}

/** Whether this cell differs from its counterpart. */
export function differsIn(pieces: readonly Piece[] | undefined): boolean {
  return pieces?.some(({ differs }) => differs) ?? false
}
