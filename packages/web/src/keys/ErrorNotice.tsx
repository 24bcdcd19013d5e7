import type { ReactElement } from 'preact/compat'
import { Notice } from '../design/index.ts'

/** Says why an action failed, also to screen readers; nothing if there is no message. */
export function ErrorNotice({ message }: { readonly message: string | undefined }): ReactElement | null {
  if (message === undefined) return null
  return (
    <Notice tone="bad" live>
      {message}
    </Notice>
  )
}
