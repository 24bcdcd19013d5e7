import type { Documentation } from './documentation.ts'
import type { Form } from './removed.ts'

const ENVIRONMENT: Documentation['environment'] = [
  { name: 'TMPDIR', says: 'folder for keys and lines that do not fit in memory' },
]

/** What the help of each local command says besides its flags. */
export const DOCUMENTATION: Readonly<Record<Form, Documentation>> = {
  lines: {
    examples: [
      { typed: 'keepfirst lines list.txt > clean.txt', does: 'the first of equal lines, in order' },
      {
        typed: 'keepfirst lines --in-place --trim -i list.txt',
        does: 'replace the file, ignoring case and surrounding spaces',
      },
    ],
    environment: ENVIRONMENT,
  },
  rows: {
    examples: [
      { typed: 'keepfirst rows -k email people.csv -o clean.csv', does: 'the first row for each address' },
      {
        typed: 'keepfirst rows --fuzzy -k name --removed report.csv people.csv > clean.csv',
        does: 'similar names too, with a report of what was dropped and why',
      },
    ],
    environment: ENVIRONMENT,
    notes: [
      'Columns are names from the header or numbers from 0. Quote a name that contains a comma: -k \'"name, first",id\'.',
      'A threshold of 0.9 lets one character in ten differ: right for personal names (0.85 to 0.92), wrong for codes, telephone numbers and dates, where one digit changes the meaning. Choose columns that hold words, and check what was dropped with --removed.',
    ],
  },
  json: {
    examples: [
      { typed: 'keepfirst json -k user.id events.jsonl > clean.jsonl', does: 'the first event for each user' },
      { typed: 'keepfirst json -o clean.json items.json', does: 'the first of equal items in an array' },
    ],
    environment: ENVIRONMENT,
  },
}
