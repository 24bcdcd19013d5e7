import type { KeyView } from '@keepfirst/protocol'
import { type ReactElement, useState } from 'preact/compat'
import { Button, Dialog, Notice } from '../design/index.ts'
import { server } from './api.ts'
import { troubleInWords } from './words.ts'

interface RevokeKeyProps {
  readonly target: KeyView
  readonly onRevoked: (key: KeyView) => void
  readonly onClose: () => void
}

/** Asks for confirmation before a key is revoked for good. */
export function RevokeKey({ target, onRevoked, onClose }: RevokeKeyProps): ReactElement {
  const [trouble, setTrouble] = useState<string>()

  async function revoke(): Promise<void> {
    setTrouble(undefined)
    try {
      onRevoked(await server.revokeKey(target.id))
    } catch (error) {
      setTrouble(troubleInWords(error))
    }
  }

  return (
    <Dialog title="Revoke this key?" onClose={onClose}>
      <p>
        <strong className="key-name">{target.name}</strong> (<code>{target.prefix}…</code>) stops working at once and
        permanently. Programs that still use it get 401.
      </p>
      {trouble && (
        <Notice tone="bad" live>
          {trouble}
        </Notice>
      )}
      <div className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" onClick={revoke}>
          Revoke permanently
        </Button>
      </div>
    </Dialog>
  )
}
