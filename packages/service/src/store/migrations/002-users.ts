import type { Migration } from './migration.ts'

/**
 * Users, their sessions and passwords, in the columns that better-auth requires, and the one-time links for claiming
 * accounts. A user's account is `accountId`.
 */
export const users: Migration = {
  number: 2,
  oldestProgram: 1,
  statements: ({ integer, instant, boolean }) => [
    `create table auth_user (
      "id" text primary key,
      "name" text not null,
      "email" text not null unique,
      "emailVerified" ${boolean} not null,
      "image" text,
      "createdAt" ${instant} not null,
      "updatedAt" ${instant} not null,
      "accountId" text not null unique references accounts (id)
    )`,
    `create table auth_session (
      "id" text primary key,
      "expiresAt" ${instant} not null,
      "token" text not null unique,
      "createdAt" ${instant} not null,
      "updatedAt" ${instant} not null,
      "ipAddress" text,
      "userAgent" text,
      "userId" text not null references auth_user ("id") on delete cascade
    )`,
    'create index auth_session_of_user on auth_session ("userId")',
    `create table auth_credential (
      "id" text primary key,
      "accountId" text not null,
      "providerId" text not null,
      "userId" text not null references auth_user ("id") on delete cascade,
      "accessToken" text,
      "refreshToken" text,
      "idToken" text,
      "accessTokenExpiresAt" ${instant},
      "refreshTokenExpiresAt" ${instant},
      "scope" text,
      "password" text,
      "createdAt" ${instant} not null,
      "updatedAt" ${instant} not null
    )`,
    'create index auth_credential_of_user on auth_credential ("userId")',
    `create table auth_verification (
      "id" text primary key,
      "identifier" text not null,
      "value" text not null,
      "expiresAt" ${instant} not null,
      "createdAt" ${instant} not null,
      "updatedAt" ${instant} not null
    )`,
    'create index auth_verification_by_identifier on auth_verification ("identifier")',
    `create table auth_claims (
      account_id text primary key references accounts (id),
      hash text not null unique,
      expires_at ${integer} not null
    )`,
  ],
}
