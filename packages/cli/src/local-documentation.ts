import type { Documentation } from './documentation.ts'
import type { Form } from './removed.ts'

const ENVIRONMENT: Documentation['environment'] = [
  { name: 'TMPDIR', says: 'where keys and lines go for which there is no memory' },
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
      { typed: 'keepfirst rows -k email people.csv -o clean.csv', does: 'the first row of each address' },
      {
        typed: 'keepfirst rows --fuzzy -k name --removed report.csv people.csv > clean.csv',
        does: 'nearly alike names too, and a report of what was dropped because of which row',
      },
    ],
    environment: ENVIRONMENT,
    notes: [
      'Columns are names of the header or numbers from 0. A name with a comma is written in quotes: -k \'"name, first",id\'.',
      'A threshold of 0.9 lets one character in ten differ: right for names of people (0.85 to 0.92), wrong for codes, telephone numbers and dates, where one digit makes another thing. Choose columns that hold words, and look at what went with --removed.',
    ],
  },
  json: {
    examples: [
      { typed: 'keepfirst json -k user.id events.jsonl > clean.jsonl', does: 'the first event of each user' },
      { typed: 'keepfirst json -o clean.json items.json', does: 'the first of equal items of an array' },
    ],
    environment: ENVIRONMENT,
  },
}
