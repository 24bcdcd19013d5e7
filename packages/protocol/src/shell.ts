/** Quotes text for a POSIX shell, which then takes it literally. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A word as shells accept it, quoted only if necessary. zsh would take a word that begins with `=` for a command. */
export function shellWord(text: string): string {
  return /^(?!=)[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text)
}
