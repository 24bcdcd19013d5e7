import type { Migration } from './migration.ts'

/**
 * From now on, each step states the oldest program that still works after it, so that the previous program can run on a
 * newer schema.
 */
export const oldestPrograms: Migration = {
  number: 5,
  oldestProgram: 2,
  statements: ({ integer }) => [`alter table schema_migrations add column oldest_program ${integer}`],
}
