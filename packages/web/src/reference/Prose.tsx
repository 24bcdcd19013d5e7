import type { ReactElement } from 'preact/compat'

/** A sentence of the description, with text in backticks shown as code. */
export function Prose({ text }: { readonly text: string }): ReactElement {
  const parts = text.split('`')
  return (
    <>
      {parts.map((part, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
        at % 2 === 1 ? <code key={at}>{part}</code> : part,
      )}
    </>
  )
}
