import type { KeyView } from '@keepfirst/protocol'
import { type ReactElement, useState } from 'preact/compat'
import { Button, Dialog } from '../design/index.ts'
import { ErrorNotice } from './ErrorNotice.tsx'
import { errorMessage } from './messages.ts'

interface RevokeKeyProps {
  readonly target: KeyView
  readonly onRevoke: () => Promise<void>
  readonly onClose: () => void
}

/** Asks for confirmation before a key is revoked for good. */
export function RevokeKey({ target, onRevoke, onClose }: RevokeKeyProps): ReactElement {
  const [error, setError] = useState<string>()

  async function revoke(): Promise<void> {
    setError(undefined)
    try {
      await onRevoke()
    } catch (caught) {
      setError(errorMessage(caught))
    }
  }

  return (
    <Dialog title="Revoke this key?" onClose={onClose}>
      <p>
        <strong className="key-name">{target.name}</strong> (<code>{target.prefix}…</code>) stops working at once and
        permanently. Programs that still use it get 401.
      </p>
      <ErrorNotice message={error} />
      <div className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" onClick={revoke}>
          Revoke permanently
        </Button>
      </div>
    </Dialog>
  )
}
