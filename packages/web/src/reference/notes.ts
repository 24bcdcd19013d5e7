/**
 * Where people stumble, by the anchor of the field: said beside it, in the reference alone. What stands between
 * backticks is code.
 */
export const NOTES: { readonly [anchor: string]: readonly string[] } = {
  'lines-data': [
    '`"a\\n"` is two lines, the second one empty. A file read as a whole mostly ends so: send it without its last line break.',
  ],
  'rows-data': [
    'Commas alone separate cells. Text separated by semicolons or tabs is read as rows of one cell; the page Try it and the command line read both.',
    'There is no `trim` for rows: `"Ann"` and `"Ann "` differ. Fuzzy matching with a threshold of 1 ignores white space, case, punctuation and the order of words, and nothing else.',
  ],
  'rows-keyColumns': [
    'The first column is 0. A row that has no such cell counts as one whose cell is empty, and empty cells are equal: of all rows without an address, a comparison by address keeps one.',
    'Names of columns work in the page Try it and on the command line; the API takes numbers.',
  ],
  'rows-hasHeader': ['With `true` a list without a header loses nothing, but its first row is never compared.'],
  'rows-fuzzy': [
    'Marks and widths stay: `José` and `Jose` differ by one letter, and `Ａ` is not `A`. Where they should not, fold the text before you send it (NFKD without its combining marks).',
  ],
  'rows-threshold': [
    'Similarity is 1 less the edits divided by the length of the longer key. At 0.9 a key needs ten characters before one edit passes: `Jon` and `John` are 0.75 alike.',
    'A digit is a letter like any other: `Main Street 12` and `Main Street 13` are 0.93 alike. Leave numbers, dates and codes out of the key.',
  ],
  'json-key': [
    'Write `user.id`, neither `.user.id` nor `$.user.id`: a dot in front asks for a member without a name, `$` for a member of that name. A member whose own name has a dot in it can’t be reached.',
    'A path that no item has keeps the first item and drops all the others.',
  ],
  'validate-emails': [
    'Strings alone: one `null` among them, as an empty cell of a database becomes, and the answer is 400. Leave those out before you send the list.',
  ],
}
