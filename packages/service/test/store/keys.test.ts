import { randomBytes } from 'node:crypto'
import type { AccountPlan } from '@keepfirst/protocol'
import { describe, expect, test } from 'vitest'
import { accountEmail } from '../../src/accounts/accounts.ts'
import { issueKey, keyName, verifyToken } from '../../src/accounts/keys.ts'
import { resetOf } from '../../src/accounts/usage.ts'
import { monthNamed } from '../../src/store/periods.ts'
import type { Account, Store } from '../../src/store/store.ts'
import { describeBothStores, hashOf, NOON, newEmail } from './support.ts'

async function accountOn(store: Store, plan: 'free' | 'starter' | 'pro'): Promise<Account> {
  const { id } = await store.ensureAccount(newEmail(), NOON)
  const account = await store.setPlan(id, plan)
  if (account === undefined) throw new Error('no account')
  return account
}

const request = { tokenPrefix: 'kf', now: NOON, randomBytes: (count: number): Uint8Array => randomBytes(count) }

async function newKeyOf(store: Store, accountId: string): ReturnType<typeof issueKey> {
  return issueKey(store, { ...request, accountId })
}

describeBothStores('a key (specification 2.5)', (databases) => {
  test('its token is the prefix, _live_ and 64 hexadecimal digits; its first 12 characters are shown', async () => {
    const { store } = await databases.shared()
    const account = await accountOn(store, 'free')
    const created = await issueKey(store, { ...request, accountId: account.id, name: ' laptop ', tokenPrefix: 'abc1' })
    if (typeof created === 'string') throw new Error(created)
    expect(created.token).toMatch(/^abc1_live_[0-9a-f]{64}$/)
    expect(created.key).toEqual({
      id: created.key.id,
      accountId: account.id,
      account: account.email,
      plan: 'free',
      name: 'laptop',
      prefix: created.token.slice(0, 12),
      createdAt: NOON,
      madeBy: 'operator',
      lastUsedAt: null,
      revokedAt: null,
    })
    expect(await store.keysOf(account.id)).toEqual([created.key])
  })

  test('only the hash and the first 12 characters of the token are stored', async () => {
    const { store, kysely } = await databases.shared()
    const created = await newKeyOf(store, (await accountOn(store, 'free')).id)
    if (typeof created === 'string') throw new Error(created)
    const row = await kysely
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', created.key.id)
      .executeTakeFirstOrThrow()
    expect(row.hash).toBe(hashOf(created.token))
    expect(JSON.stringify(row)).not.toContain(created.token.slice(12))
  })

  test('its holder is found by its token, with the current plan of the account', async () => {
    const { store } = await databases.shared()
    const account = await accountOn(store, 'free')
    const created = await newKeyOf(store, account.id)
    if (typeof created === 'string') throw new Error(created)
    const holder = { keyId: created.key.id, accountId: account.id, plan: 'free' }
    expect(await verifyToken(store, created.token)).toEqual(holder)
    await store.setPlan(account.id, 'pro')
    expect(await verifyToken(store, created.token)).toEqual({ ...holder, plan: 'pro' })
  })

  test.each([
    { name: 'an empty text', presented: '' },
    { name: 'another token', presented: `kf_live_${'0'.repeat(64)}` },
    { name: 'text that is not a token', presented: "' or 1=1 --" },
    { name: 'a NUL character', presented: 'kf_live_\u0000' },
    { name: 'a megabyte of text', presented: 'k'.repeat(1_000_000) },
  ])('no holder is found for $name', async ({ presented }) => {
    const { store } = await databases.shared()
    await newKeyOf(store, (await accountOn(store, 'free')).id)
    expect(await verifyToken(store, presented)).toBeUndefined()
  })

  test('a token with text before or after it, or truncated, is not found', async () => {
    const { store } = await databases.shared()
    const created = await newKeyOf(store, (await accountOn(store, 'free')).id)
    if (typeof created === 'string') throw new Error(created)
    for (const presented of [
      `${created.token} `,
      ` ${created.token}`,
      created.token.slice(0, -1),
      `${created.token}0`,
    ]) {
      expect(await verifyToken(store, presented)).toBeUndefined()
    }
  })
})

describeBothStores('revoking (specification 3)', (databases) => {
  test('takes effect with the next look-up, on other instances too, and cannot be undone', async () => {
    const address = await databases.create()
    const { store } = await databases.open(address)
    const another = await databases.open(address)
    const created = await newKeyOf(store, (await accountOn(store, 'free')).id)
    if (typeof created === 'string') throw new Error(created)
    expect(await verifyToken(another.store, created.token)).toBeDefined()
    const revoked = await store.revokeKey(created.key.id, NOON + 5)
    expect(revoked).toEqual({ ...created.key, revokedAt: NOON + 5 })
    expect(await verifyToken(another.store, created.token)).toBeUndefined()
    expect(await verifyToken(store, created.token)).toBeUndefined()
    expect(await store.revokeKey(created.key.id, NOON + 9)).toEqual(revoked)
  })

  test('another account cannot revoke a key', async () => {
    const { store } = await databases.shared()
    const created = await newKeyOf(store, (await accountOn(store, 'free')).id)
    if (typeof created === 'string') throw new Error(created)
    const other = await accountOn(store, 'free')
    expect(await store.revokeKey(created.key.id, NOON, other.id)).toBeUndefined()
    expect(await verifyToken(store, created.token)).toBeDefined()
    expect((await store.revokeKey(created.key.id, NOON, created.key.accountId))?.revokedAt).toBe(NOON)
  })

  test('an unknown key is not revoked', async () => {
    const { store } = await databases.shared()
    expect(await store.revokeKey('no such key', NOON)).toBeUndefined()
  })
})

describeBothStores('active keys per plan (specification 8.2)', (databases) => {
  test.each([
    { plan: 'free' as const, requested: 5, created: 1 },
    { plan: 'starter' as const, requested: 8, created: 3 },
    { plan: 'pro' as const, requested: 8, created: 8 },
  ])('$plan: of $requested requested at once, $created are created', async ({ plan, requested, created: expected }) => {
    const { store } = await databases.shared()
    const { id } = await accountOn(store, plan)
    const all = await Promise.all(Array.from({ length: requested }, () => newKeyOf(store, id)))
    expect(all.filter((created) => typeof created !== 'string')).toHaveLength(expected)
    expect(all.filter((created) => created === 'key limit')).toHaveLength(requested - expected)
    expect(await store.keysOf(id)).toHaveLength(expected)
  })

  test('a new key may change the plan of its account; if that plan allows no more keys, nothing changes', async () => {
    const { store } = await databases.shared()
    const account = await accountOn(store, 'free')
    const move = (plan: AccountPlan) => issueKey(store, { ...request, accountId: account.id, plan })
    expect(await move('starter')).toMatchObject({ key: { plan: 'starter' } })
    expect(await store.accountById(account.id)).toEqual({ ...account, plan: 'starter' })
    expect(await move('free')).toBe('key limit')
    expect(await store.accountById(account.id)).toEqual({ ...account, plan: 'starter' })
  })

  test('two instances together create no more keys than the plan allows', async () => {
    const address = await databases.create()
    const stores = [(await databases.open(address)).store, (await databases.open(address)).store]
    const [first] = stores
    if (first === undefined) throw new Error('no store')
    const { id } = await accountOn(first, 'starter')
    const all = await Promise.all(stores.flatMap((store) => Array.from({ length: 6 }, () => newKeyOf(store, id))))
    expect(all.filter((created) => typeof created !== 'string')).toHaveLength(3)
  })

  test('a revoked key makes room for another one', async () => {
    const { store } = await databases.shared()
    const { id } = await accountOn(store, 'free')
    const created = await newKeyOf(store, id)
    if (typeof created === 'string') throw new Error(created)
    expect(await newKeyOf(store, id)).toBe('key limit')
    await store.revokeKey(created.key.id, NOON)
    expect(typeof (await newKeyOf(store, id))).toBe('object')
  })

  test('after a change to a smaller plan, existing keys keep working, but no new one is created', async () => {
    const { store } = await databases.shared()
    const { id } = await accountOn(store, 'pro')
    const keys = [await newKeyOf(store, id), await newKeyOf(store, id)]
    await store.setPlan(id, 'free')
    for (const key of keys) {
      if (typeof key === 'string') throw new Error(key)
      expect((await verifyToken(store, key.token))?.plan).toBe('free')
    }
    expect(await newKeyOf(store, id)).toBe('key limit')
  })

  test('no key is created for an unknown account', async () => {
    const { store } = await databases.shared()
    expect(await newKeyOf(store, 'nobody')).toBe('no account')
    expect(await issueKey(store, { ...request, accountId: 'nobody', name: 'a\nb' })).toBe('bad name')
  })
})

describeBothStores('accounts', (databases) => {
  test('an address has one account, whatever its case and however many requests create it at once', async () => {
    const { store } = await databases.shared()
    const spellings = ['Ann.Lee@Example.org', 'ann.lee@example.org', 'ANN.LEE@EXAMPLE.ORG']
    const accounts = await Promise.all(spellings.map((email) => store.ensureAccount(email, NOON)))
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(1)
    expect(accounts[0]).toMatchObject({ email: 'ann.lee@example.org', plan: 'free', createdAt: NOON })
    expect(await store.findAccount('ann.LEE@example.org')).toEqual(accounts[0])
  })

  test('the plan of an existing account can be changed', async () => {
    const { store } = await databases.shared()
    const { id, email } = await accountOn(store, 'free')
    expect((await store.setPlan(id, 'pro'))?.plan).toBe('pro')
    expect((await store.findAccount(email))?.plan).toBe('pro')
    expect(await store.setPlan('nobody', 'pro')).toBeUndefined()
    expect(await store.findAccount('nobody@example.org')).toBeUndefined()
  })
})

describe('user input', () => {
  test.each([
    { input: undefined, name: 'API key' },
    { input: '   ', name: 'API key' },
    { input: ' CI of the shop ', name: 'CI of the shop' },
    { input: '鍵🔑', name: '鍵🔑' },
    { input: '🔑'.repeat(50), name: '🔑'.repeat(50) },
    { input: '🔑'.repeat(51), name: undefined },
    { input: 'k'.repeat(101), name: undefined },
    { input: 'a\u0000b', name: undefined },
    { input: 'a\u001b[31mb', name: undefined },
    { input: 'a\nb', name: undefined },
    { input: 'a\ud800b', name: undefined },
  ])('key name $input → $name', ({ input, name }) => {
    expect(keyName(input)).toBe(name)
  })

  test.each([
    { input: 'a@b', email: 'a@b' },
    { input: ' Ann@Example.ORG ', email: 'ann@example.org' },
    { input: `${'a'.repeat(249)}@b.cd`, email: `${'a'.repeat(249)}@b.cd` },
    { input: `${'a'.repeat(250)}@b.cd`, email: undefined },
    { input: '', email: undefined },
    { input: 'ann', email: undefined },
    { input: '@b', email: undefined },
    { input: 'a@', email: undefined },
    { input: 'a@b@c', email: undefined },
    { input: 'a b@c', email: undefined },
    { input: 'a\u0000@c', email: undefined },
  ])('address $input → $email', ({ input, email }) => {
    expect(accountEmail(input)).toBe(email)
  })

  test.each([
    { text: '2026-03', month: '2026-03' },
    { text: '2026-12', month: '2026-12' },
    { text: '2026-13', month: undefined },
    { text: '2026-3', month: undefined },
    { text: '2026-00', month: undefined },
    { text: '2026-03-01', month: undefined },
  ])('month $text → $month', ({ text, month }) => {
    expect(monthNamed(text)).toBe(month)
  })
})

test.each([
  { now: '2026-03-15T12:00:00.000Z', resets: '2026-04-01T00:00:00.000Z' },
  { now: '2026-12-31T23:59:59.999Z', resets: '2027-01-01T00:00:00.000Z' },
  { now: '2027-01-01T00:00:00.000Z', resets: '2027-02-01T00:00:00.000Z' },
  { now: '2028-02-29T23:59:59.999Z', resets: '2028-03-01T00:00:00.000Z' },
])('an allowance at $now resets at $resets', ({ now, resets }) => {
  expect(resetOf(Date.parse(now)).toISOString()).toBe(resets)
})
