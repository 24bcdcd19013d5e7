import { type Question, spokenOptions } from './question.ts'

/**
 * The body of the request to the API that asks the same question of the same list. JSON goes in as the text
 * that it is: parsing and writing it again could change what it says.
 */
export function requestBody(text: string, question: Question): string {
  const spoken = spokenOptions(question)
  const data = question.mode === 'json' ? text.trim() : JSON.stringify(text)
  const options = Object.keys(spoken).length === 0 ? '' : `,"options":${JSON.stringify(spoken)}`
  return `{"mode":"${question.mode}","data":${data}${options}}`
}

/** One word of a POSIX shell, whatever it holds. */
export function shellWord(text: string): string {
  return /^[\w./:@=,+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** The curl command that sends `body` (or the file of that name, after an `@`), for sh, bash and zsh. */
export function curlRequest(url: string, body: string, keyed: boolean): string {
  return [
    `curl ${shellWord(url)}`,
    `-H 'Content-Type: application/json'`,
    ...(keyed ? [`-H "Authorization: Bearer $KEEPFIRST_KEY"`] : []),
    `--data-binary ${shellWord(body)}`,
  ].join(' \\\n  ')
}

/** The same on the command line, where no limit holds and nothing is sent. */
export function localCommand(question: Question, file: string): string {
  return ['keepfirst', question.mode, ...flags(question), shellWord(file)].join(' ')
}

function flags(question: Question): string[] {
  if (question.mode === 'lines') {
    const { trim, ignoreCase, dropEmpty } = question.options
    return [...when(trim, '--trim'), ...when(ignoreCase, '--ignore-case'), ...when(dropEmpty, '--drop-empty')]
  }
  if (question.mode === 'json') return when(question.options.key !== '', '--key', shellWord(question.options.key))
  const { keyColumns, hasHeader, caseSensitive, fuzzy, threshold } = question.options
  return [
    ...when(keyColumns.length > 0, '--key-columns', keyColumns.join(',')),
    ...when(!hasHeader, '--no-header'),
    ...when(!caseSensitive && !fuzzy, '--ignore-case'),
    ...when(fuzzy, '--fuzzy', '--threshold', String(threshold)),
  ]
}

function when(condition: boolean, ...words: string[]): string[] {
  return condition ? words : []
}
