import type { DatabaseKind } from '../database.ts'

/** How a database spells what the two spell differently. */
export interface Spelling {
  readonly kind: DatabaseKind
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
  /**
   * The oldest program that works on the schema after this step, named by the newest step that it knows. Tables and
   * columns are added first and removed a release later, so that the program before can still run, or run again.
   */
  readonly oldestProgram: number
  statements(spelling: Spelling): readonly string[]
}
