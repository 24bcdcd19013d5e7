import { expect, test } from 'vitest'
import { claimAccount } from '../../src/store/accounts.ts'
import { inTransaction } from '../../src/store/transaction.ts'
import { describeBothStores, hashOf, NOON, newEmail } from './support.ts'

describeBothStores('an account claimed by its owner', (databases) => {
  test('keeps its keys, except those made by whoever signed up before the claim', async () => {
    const { store, kysely } = await databases.shared()
    const account = await store.createAccount(newEmail(), NOON)
    if (account === undefined) throw new Error('the address has an account')
    expect(account).toMatchObject({ madeBy: 'sign-up', claimedAt: null })
    await store.setPlan(account.id, 'pro')
    const makeKey = (createdAt: number, name: string, seen?: { claimedAt: number | null }) => {
      const hash = hashOf(`${name} of ${account.id}`)
      return store.createKey({ accountId: account.id, name, prefix: 'kf_live_0123', hash, createdAt, seen })
    }
    const claim = (at: number) => inTransaction(kysely, (trx) => claimAccount(trx, account.id, at))
    await makeKey(NOON, 'by the operator')
    await makeKey(NOON + 1, 'by sign-up', { claimedAt: null })

    expect(await claim(NOON + 2)).toMatchObject({ id: account.id, madeBy: 'sign-up', claimedAt: NOON + 2 })
    await makeKey(NOON + 3, 'by the owner', { claimedAt: NOON + 2 })
    await claim(NOON + 4)
    expect(
      (await store.keysOf(account.id)).map(({ name, madeBy, revokedAt }) => ({ name, madeBy, revokedAt })),
    ).toEqual([
      { name: 'by the operator', madeBy: 'operator', revokedAt: null },
      { name: 'by sign-up', madeBy: 'sign-up', revokedAt: NOON + 2 },
      { name: 'by the owner', madeBy: 'owner', revokedAt: null },
    ])
  })

  test('cannot be claimed after its deletion', async () => {
    const { store, kysely } = await databases.shared()
    const { id, madeBy } = await store.ensureAccount(newEmail(), NOON)
    expect(madeBy).toBe('operator')
    await store.deleteAccount(id, NOON)
    expect(await inTransaction(kysely, (trx) => claimAccount(trx, id, NOON + 1))).toBeUndefined()
  })
})
