import type { Migration } from './migration.ts'

/**
 * Charges carry an identifier that the program makes, and each batch of the ledger leaves its own with its answer.
 * Only adds what an older program does not need to know, and rewrites no row: it takes a moment, whatever the size.
 */
export const ledgerBatches: Migration = {
  number: 4,
  oldestProgram: 2,
  statements: ({ integer }) => [
    'alter table usage_events add column charge_id text',
    `create table ledger_batches (
      at ${integer} not null,
      id text not null,
      answer text,
      primary key (at, id)
    )`,
  ],
}
