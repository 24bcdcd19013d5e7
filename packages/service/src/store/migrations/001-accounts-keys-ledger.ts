import type { Migration } from './migration.ts'

/** Accounts, keys and the ledger. `schema.ts` explains the columns. */
export const accountsKeysLedger: Migration = {
  number: 1,
  oldestProgram: 1,
  statements: ({ integer, generatedId }) => [
    `create table accounts (
      id text primary key,
      email text not null unique,
      plan text not null,
      created_at ${integer} not null
    )`,
    `create table api_keys (
      id text primary key,
      account_id text not null references accounts (id),
      name text not null,
      prefix text not null,
      hash text not null unique,
      created_at ${integer} not null,
      last_used_at ${integer},
      revoked_at ${integer}
    )`,
    'create index api_keys_of_account on api_keys (account_id)',
    `create table usage_months (
      account_id text not null,
      month text not null,
      used ${integer} not null check (used >= 0),
      primary key (account_id, month)
    )`,
    `create table usage_events (
      id ${generatedId},
      account_id text not null,
      key_id text not null,
      at ${integer} not null,
      mode text,
      rows ${integer},
      removed ${integer},
      units ${integer} not null,
      status ${integer},
      duration_ms ${integer}
    )`,
    'create index usage_events_of_account on usage_events (account_id, at)',
    'create index usage_events_by_time on usage_events (at)',
    `create table usage_days (
      account_id text not null,
      key_id text not null,
      day text not null,
      mode text not null,
      status ${integer} not null,
      calls ${integer} not null,
      rows ${integer} not null,
      removed ${integer} not null,
      units ${integer} not null,
      primary key (account_id, day, key_id, mode, status)
    )`,
    `create table keyless_days (
      day text not null,
      client text not null,
      used ${integer} not null check (used >= 0),
      primary key (day, client)
    )`,
    `create table installation (
      name text primary key,
      value text not null
    )`,
  ],
}
