import { type ReactElement, useEffect, useState } from 'preact/compat'
import { Button } from './Button.tsx'

interface CopyButtonProps {
  /** The text, or a function that fetches it when it is too large to keep. */
  readonly text: string | (() => Promise<string>)
  readonly label?: string
  /** What is copied, for screen readers ("curl command"). */
  readonly what: string
  readonly disabled?: boolean
}

/** Copies to the clipboard and confirms it, or reports that the browser did not allow it. */
export function CopyButton({ text, label = 'Copy', what, disabled = false }: CopyButtonProps): ReactElement {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  useEffect(() => {
    if (state === 'ready') return
    const timer = setTimeout(() => setState('ready'), 2_000)
    return () => clearTimeout(timer)
  }, [state])

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
      setState('copied')
    } catch {
      setState('failed')
    }
  }

  const words = { ready: label, copied: 'Copied', failed: 'Failed' }
  return (
    <Button variant="quiet" small onClick={copy} disabled={disabled} aria-label={`${label}: ${what}`}>
      <span className="copy-words">
        {(['ready', 'copied', 'failed'] as const).map((name) => (
          <span key={name} className="copy-word" data-shown={name === state}>
            {words[name]}
          </span>
        ))}
      </span>
      <span className="visually-hidden" role="status">
        {state === 'ready' ? '' : `${words[state]}: ${what}`}
      </span>
    </Button>
  )
}
