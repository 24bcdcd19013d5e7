import { type ReactElement, type ReactNode, useLayoutEffect, useRef } from 'preact/compat'
import { classes } from './classes.ts'
import { useUniqueId } from './ids.ts'

interface DialogProps {
  readonly title: string
  /** Takes as much room as there is, for what is long. */
  readonly wide?: boolean
  /** Called when it closes by Escape too. */
  readonly onClose: () => void
  /** Body and a `.dialog-foot` with the buttons. */
  readonly children: ReactNode
}

/** A question that stands before everything else while it is rendered. The platform keeps the focus inside. */
export function Dialog({ title, wide = false, onClose, children }: DialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useUniqueId()
  // Closed while it still stands in the page, or the focus would not go back to where it came from.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={classes('dialog', 'stack', wide && 'dialog-wide')}
      aria-labelledby={id}
      onCancel={onClose}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}
