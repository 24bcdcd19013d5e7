/**
 * Something that the one who started the command can mend: a setting, an argument, a file, a database that does
 * not answer. The message is one line that says what to do; no trace is shown. Exit code 1.
 */
export class Complaint extends Error {
  override readonly name: string = 'Complaint'
}
