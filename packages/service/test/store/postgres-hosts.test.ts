import { describe, expect, test } from 'vitest'
import { addressesOf, PostgresHosts } from '../../src/store/postgres-hosts.ts'

describe('an address', () => {
  test.each([
    { address: 'postgres://db/keepfirst', expected: ['postgres://db/keepfirst'] },
    { address: 'postgresql://db', expected: ['postgresql://db'] },
    { address: 'postgres://a,b:6432/k', expected: ['postgres://a/k', 'postgres://b:6432/k'] },
    {
      address: 'postgres://me:secret@a:1,b:2/k?application_name=x,y@z',
      expected: [
        'postgres://me:secret@a:1/k?application_name=x,y@z',
        'postgres://me:secret@b:2/k?application_name=x,y@z',
      ],
    },
    { address: 'postgres:///k?host=/run/postgresql', expected: ['postgres:///k?host=/run/postgresql'] },
  ])('$address: one for each host', ({ address, expected }) => {
    expect(addressesOf(address)).toEqual(expected)
  })

  test.each([
    { query: 'sslmode=prefer', expected: 'sslmode=verify-full' },
    { query: 'sslmode=require&connect_timeout=3', expected: 'sslmode=verify-full&connect_timeout=3' },
    { query: 'connect_timeout=3&sslmode=verify-ca', expected: 'connect_timeout=3&sslmode=verify-full' },
    { query: 'sslmode=verify-full', expected: 'sslmode=verify-full' },
    { query: 'sslmode=no-verify', expected: 'sslmode=no-verify' },
    { query: 'sslmode=required', expected: 'sslmode=required' },
    { query: 'options=-c%20x&mysslmode=require', expected: 'options=-c%20x&mysslmode=require' },
  ])('$query: certificates are verified unless it says otherwise', ({ query, expected }) => {
    expect(addressesOf(`postgres://db/k?${query}`)).toEqual([`postgres://db/k?${expected}`])
  })
})

describe('the server to connect to', () => {
  test('is the next one after a failure, and the first one again after the last', () => {
    const hosts = new PostgresHosts('postgres://a,b,c/k')
    expect(hosts.count).toBe(3)
    const tried = [1, 2, 3, 4].map(() => {
      const { current } = hosts
      hosts.failed(current)
      return current
    })
    expect(tried).toEqual(['postgres://a/k', 'postgres://b/k', 'postgres://c/k', 'postgres://a/k'])
  })

  test('is not changed by the failure of another, as when several connections fail at once', () => {
    const hosts = new PostgresHosts('postgres://a,b,c/k')
    for (let failures = 0; failures < 3; failures += 1) hosts.failed('postgres://a/k')
    expect(hosts.current).toBe('postgres://b/k')
  })
})
