import type { Documentation } from './documentation.ts'
import type { Form } from './removed.ts'

const ENVIRONMENT: Documentation['environment'] = [
  { name: 'TMPDIR', says: 'where temporary files go, when there must be any' },
]

/** What the help of each local command says besides its flags. */
export const DOCUMENTATION: Readonly<Record<Form, Documentation>> = {
  lines: {
    examples: [
      { typed: 'keepfirst lines list.txt > clean.txt', does: 'the first of each line, in their order' },
      {
        typed: 'keepfirst lines --in-place --trim -i list.txt',
        does: 'the same file, without regard to case and outer space',
      },
    ],
    environment: ENVIRONMENT,
  },
  rows: {
    examples: [
      { typed: 'keepfirst rows -k 0 people.csv -o clean.csv', does: 'the first row of each value in the first column' },
      {
        typed: 'keepfirst rows --fuzzy -k 1 --removed report.csv people.csv > clean.csv',
        does: 'nearly alike names too, and a report of what was dropped because of which row',
      },
    ],
    environment: ENVIRONMENT,
  },
  json: {
    examples: [
      { typed: 'keepfirst json -k user.id events.jsonl > clean.jsonl', does: 'the first event of each user' },
      { typed: 'keepfirst json -o clean.json items.json', does: 'the first of equal items of an array' },
    ],
    environment: ENVIRONMENT,
  },
}
