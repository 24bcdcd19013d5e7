import type { ReactElement } from 'preact/compat'
import { CopyButton } from '../design/index.ts'

/** Activates the copy button of a code sample, which copies the text of its figure. */
export function copyIsland(title: string, element: HTMLElement): ReactElement {
  const text = element.closest('figure')?.querySelector('pre')?.textContent ?? ''
  return <CopyButton text={text} what={title} />
}
