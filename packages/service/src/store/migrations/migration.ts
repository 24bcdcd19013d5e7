import type { DatabaseKind } from '../database.ts'

/** Spellings that differ between the two databases. */
export interface SqlTypes {
  readonly kind: DatabaseKind
  /** A 64-bit integer. */
  readonly integer: string
  /** An auto-incremented primary key. */
  readonly generatedId: string
  /** The type in which better-auth stores times. */
  readonly instant: string
  /** The type in which better-auth stores booleans. */
  readonly boolean: string
}

/** One step of the schema. It is never edited after its release; later changes are further steps. */
export interface Migration {
  readonly number: number
  /**
   * The oldest program that works on the schema after this step, identified by the newest step that it knows. Tables
   * and columns are added first and removed a release later, so that the previous program can keep running, or be
   * started again.
   */
  readonly oldestProgram: number
  statements(types: SqlTypes): readonly string[]
}
