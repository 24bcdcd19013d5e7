/**
 * Common pitfalls, by the field's anchor; shown only in the reference. Text in backticks is code.
 */
export const NOTES: { readonly [anchor: string]: readonly string[] } = {
  'lines-data': [
    '`"a\\n"` is two lines, the second one empty. Most files end with a line break: send them without it.',
  ],
  'rows-data': [
    'Only commas separate cells. Text separated by semicolons or tabs is read as rows of one cell; the page Try it and the command line read both.',
    'There is no `trim` for rows: `"Ann"` and `"Ann "` differ. Fuzzy matching with a threshold of 1 ignores white space, case, punctuation and the order of words, and nothing else.',
  ],
  'rows-keyColumns': [
    'The first column is 0. A missing cell counts as empty, and empty cells are equal: comparing by address keeps only one of all rows without an address.',
    'Column names work in the page Try it and on the command line; the API takes numbers.',
  ],
  'rows-hasHeader': ['If the list has no header, its first row is not lost, but it is never compared.'],
  'rows-fuzzy': [
    'Diacritics and character widths are kept: `José` and `Jose` differ by one letter, and `Ａ` is not `A`. If they should be equal, normalise the text before you send it (NFKD without combining marks).',
  ],
  'rows-threshold': [
    'Similarity is 1 minus the number of edits divided by the length of the longer key. At 0.9 a key needs ten characters before one edit is allowed: `Jon` and `John` have a similarity of 0.75.',
    'A digit counts like any other character: `Main Street 12` and `Main Street 13` have a similarity of 0.93. Leave numbers, dates and codes out of the key.',
  ],
  'json-key': [
    'Write `user.id`, not `.user.id` or `$.user.id`: a leading dot asks for a member with an empty name, `$` for a member named `$`. A member whose own name contains a dot can’t be reached.',
    'A path that no item has keeps the first item and drops all the others.',
  ],
  'validate-emails': [
    'Strings only: a single `null`, such as an empty database field, makes the answer 400. Leave those out before you send the list.',
  ],
}
