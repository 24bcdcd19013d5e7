import { MODE_SPECS, MODES } from '@keepfirst/protocol'

/** A section of a page, with those of its parts that deserve a link. */
export interface ContentsEntry {
  readonly id: string
  readonly title: string
  readonly parts?: readonly ContentsEntry[]
}

/** The contents of the reference, in order. */
export const CONTENTS: readonly ContentsEntry[] = [
  { id: 'start', title: 'Start' },
  { id: 'keys', title: 'Keys' },
  {
    id: 'dedupe',
    title: 'Remove duplicates',
    parts: [
      ...MODES.map((mode) => ({ id: mode, title: MODE_SPECS[mode].title })),
      { id: 'dedupe-answer', title: 'Answer' },
    ],
  },
  { id: 'validate', title: 'Validate addresses' },
  { id: 'units', title: 'Units and plans' },
  { id: 'errors', title: 'Errors' },
  { id: 'headers', title: 'Headers and retries' },
  { id: 'clients', title: 'Clients' },
]
