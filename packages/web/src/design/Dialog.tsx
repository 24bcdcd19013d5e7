import { type ReactElement, type ReactNode, useLayoutEffect, useRef } from 'preact/compat'
import { classes } from './classes.ts'
import { useUniqueId } from './ids.ts'

interface DialogProps {
  readonly title: string
  /** For long content: takes up the available width. */
  readonly wide?: boolean
  /** Called however the dialog closes, including by Escape. */
  readonly onClose: () => void
  /** The body, and a `.dialog-foot` with the buttons. */
  readonly children: ReactNode
}

/** A modal dialog, open while it is rendered. The browser keeps focus inside it. */
export function Dialog({ title, wide = false, onClose, children }: DialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useUniqueId()
  // Closed before it leaves the document; otherwise focus would not return to where it was.
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
