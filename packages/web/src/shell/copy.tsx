import type { ReactElement } from 'preact/compat'
import { CopyButton } from '../design/index.ts'

/** Brings the copy button of a code sample to life: it copies what stands in its figure. */
export function copyIsland(title: string, element: HTMLElement): ReactElement {
  const text = element.closest('figure')?.querySelector('pre')?.textContent ?? ''
  return <CopyButton text={text} what={title} />
}
