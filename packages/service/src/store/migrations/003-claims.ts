import type { Migration } from './migration.ts'

/**
 * Who made an account and its keys, and when its owner claimed it. This is unknown for existing rows: an account
 * with a user counts as made by sign-up, and so do its keys.
 *
 * All sessions end once, because tokens used to be stored in plain text and are stored hashed from now on. The key for
 * hashing network addresses is removed from the database, and with it the budgets that depend on it.
 */
export const claims: Migration = {
  number: 3,
  oldestProgram: 2,
  statements: ({ integer }) => [
    "alter table accounts add column made_by text not null default 'operator'",
    `alter table accounts add column claimed_at ${integer}`,
    `alter table accounts add column deleted_at ${integer}`,
    "alter table api_keys add column made_by text not null default 'operator'",
    `update accounts set made_by = 'sign-up' where id in (select "accountId" from auth_user)`,
    `update api_keys set made_by = 'sign-up' where account_id in (select "accountId" from auth_user)`,
    'create unique index auth_credential_of_provider on auth_credential ("providerId", "accountId")',
    'delete from auth_session',
    'delete from keyless_days',
    'delete from installation', // the previous release still reads the table itself
  ],
}
