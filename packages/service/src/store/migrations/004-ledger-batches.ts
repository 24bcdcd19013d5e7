import type { Migration } from './migration.ts'

/**
 * Charges get an identifier made by the program, and each ledger batch stores its identifier with its answer. Only adds
 * what older programs can ignore and rewrites no rows, so it is quick at any size.
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
