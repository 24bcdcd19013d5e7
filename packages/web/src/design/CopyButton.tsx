import { type ReactElement, useEffect, useState } from 'preact/compat'
import { Button } from './Button.tsx'

interface CopyButtonProps {
  /** The text, or a function that fetches it when it is too large to keep. */
  readonly text: string | (() => Promise<string>)
  /** What is copied, for screen readers ("curl command"). */
  readonly what: string
  readonly disabled?: boolean
}

const WORDS = { ready: 'Copy', copied: 'Copied', failed: 'Failed' } as const

/** Copies to the clipboard and confirms it, or reports that the browser did not allow it. */
export function CopyButton({ text, what, disabled = false }: CopyButtonProps): ReactElement {
  const [state, setState] = useState<keyof typeof WORDS>('ready')
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

  return (
    <Button variant="quiet" small onClick={copy} disabled={disabled} aria-label={`${WORDS.ready}: ${what}`}>
      <span className="copy-words">
        {Object.entries(WORDS).map(([name, word]) => (
          <span key={name} className="copy-word" data-shown={name === state}>
            {word}
          </span>
        ))}
      </span>
      <span className="visually-hidden" role="status">
        {state === 'ready' ? '' : `${WORDS[state]}: ${what}`}
      </span>
    </Button>
  )
}
