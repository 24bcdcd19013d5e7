import type { getAdapter } from 'better-auth/db/adapter'
import { hashSecret } from '../accounts/hash-secret.ts'

/** Better-auth's access to its tables. */
export type Adapter = Awaited<ReturnType<typeof getAdapter>>
type Query = Parameters<Adapter['findOne']>[0]

/**
 * An adapter for better-auth that stores the SHA-256 of a session's token instead of the token, so that read access to
 * the database does not give access to sessions. The library never sees a hash: rows found by a token come back with
 * that token.
 */
export function hashingSessionTokens(adapter: Adapter): Adapter {
  return {
    ...hashing(adapter),
    transaction: (work) => adapter.transaction((transaction) => work(hashing(transaction))),
  }
}

function hashing(adapter: Omit<Adapter, 'transaction'>): Omit<Adapter, 'transaction'> {
  return {
    ...adapter,
    async create<T extends Record<string, unknown>, R = T>(request: {
      model: string
      data: Omit<T, 'id'>
      select?: string[] | undefined
      forceAllowId?: boolean | undefined
    }): Promise<R> {
      const { token } = request.data
      if (request.model !== 'session' || typeof token !== 'string') return adapter.create<T, R>(request)
      return withToken(
        await adapter.create<T, R>({ ...request, data: { ...request.data, token: hashSecret(token) } }),
        token,
      )
    },
    async findOne<T>(query: Query): Promise<T | null> {
      const [by] = query.where
      const found = await adapter.findOne<T>(hashed(query))
      return query.model === 'session' && by?.field === 'token' ? withToken(found, String(by.value)) : found
    },
    findMany: (query) => adapter.findMany(query.where === undefined ? query : hashed({ ...query, where: query.where })),
    update: (query) => adapter.update(hashed(query)),
    updateMany: (query) => adapter.updateMany(hashed(query)),
    delete: (query) => adapter.delete(hashed(query)),
    deleteMany: (query) => adapter.deleteMany(hashed(query)),
    consumeOne: (query) => adapter.consumeOne(hashed(query)),
  }
}

/** A query with hashes in place of tokens. */
function hashed<Q extends Pick<Query, 'model' | 'where'>>(query: Q): Q {
  if (query.model !== 'session') return query
  return {
    ...query,
    where: query.where.map((by) => (by.field === 'token' ? { ...by, value: hashesOf(by.value) } : by)),
  }
}

function hashesOf(tokens: Query['where'][number]['value']): string | string[] {
  return Array.isArray(tokens) ? tokens.map((token) => hashSecret(String(token))) : hashSecret(String(tokens))
}

function withToken<R>(session: R, token: string): R {
  return typeof session === 'object' && session !== null ? { ...session, token } : session
}
