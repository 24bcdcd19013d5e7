/** How a database spells what the two spell differently. */
export interface Spelling {
  /** A whole number of 64 bits. */
  readonly integer: string
  /** A primary key that the database counts up. */
  readonly generatedId: string
  /** How better-auth keeps an instant, */
  readonly instant: string
  /** and a truth value. */
  readonly boolean: string
}

/** One step of the schema. Once released it is never edited: what comes later is a further step. */
export interface Migration {
  readonly number: number
  statements(spelling: Spelling): readonly string[]
}
