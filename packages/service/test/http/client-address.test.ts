import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SettingError } from '../../src/config.ts'
import { networkOf, readTrustedProxies } from '../../src/http/client-address.ts'

describe('a caller is identified by its IPv4 address or IPv6 /64 network, in canonical form', () => {
  test.each([
    { name: 'IPv4', remote: '203.0.113.9', network: '203.0.113.9' },
    { name: 'IPv4-mapped IPv6 is IPv4', remote: '::ffff:203.0.113.9', network: '203.0.113.9' },
    { name: 'IPv4-mapped IPv6 in hexadecimal', remote: '::FFFF:cb00:7109', network: '203.0.113.9' },
    { name: 'IPv4-mapped IPv6 written in full', remote: '0:0:0:0:0:ffff:203.0.113.9', network: '203.0.113.9' },
    { name: 'IPv6 is its /64 network', remote: '2001:db8:1:2:3:4:5:6', network: '2001:db8:1:2::/64' },
    { name: 'another address in the same /64', remote: '2001:db8:1:2::ffff', network: '2001:db8:1:2::/64' },
    {
      name: 'leading zeros and case make no difference',
      remote: '2001:0DB8:0001:0002::',
      network: '2001:db8:1:2::/64',
    },
    { name: 'a zone is ignored', remote: 'fe80::1%eth0', network: 'fe80:0:0:0::/64' },
    { name: 'loopback', remote: '::1', network: '0:0:0:0::/64' },
    {
      name: 'IPv6 with a dotted end that is not IPv4-mapped',
      remote: '64:ff9b::192.0.2.33',
      network: '64:ff9b:0:0::/64',
    },
    { name: 'a closed connection', remote: undefined, network: 'unknown' },
  ])('$name', ({ remote, network }) => {
    expect(networkOf(remote, '', readTrustedProxies(''))).toBe(network)
  })
})

describe('X-Forwarded-For is trusted only from the proxies that the operator names', () => {
  const TRUSTED = '10.0.0.0/8, 2001:db8:ffff::/48, 192.0.2.1'
  test.each([
    { name: 'not from an unknown address', remote: '203.0.113.9', header: '198.51.100.1', network: '203.0.113.9' },
    { name: 'from a range', remote: '10.1.2.3', header: '198.51.100.1', network: '198.51.100.1' },
    { name: 'from an address', remote: '192.0.2.1', header: '198.51.100.1', network: '198.51.100.1' },
    { name: 'not from the next address', remote: '192.0.2.2', header: '198.51.100.1', network: '192.0.2.2' },
    { name: 'from an IPv4-mapped address', remote: '::ffff:10.1.2.3', header: '198.51.100.1', network: '198.51.100.1' },
    { name: 'from an IPv6 range', remote: '2001:db8:ffff::7', header: '2001:db8:1:2::9', network: '2001:db8:1:2::/64' },
    {
      name: 'not what a client wrote itself',
      remote: '10.1.2.3',
      header: '1.1.1.1, 198.51.100.1',
      network: '198.51.100.1',
    },
    { name: 'through several proxies', remote: '10.1.2.3', header: '198.51.100.1, 10.9.9.9', network: '198.51.100.1' },
    {
      name: 'only proxies: the farthest one',
      remote: '10.1.2.3',
      header: '10.0.0.1, 10.0.0.2',
      network: '10.0.0.1',
    },
    { name: 'with a port', remote: '10.1.2.3', header: '198.51.100.1:4711', network: '198.51.100.1' },
    {
      name: 'in brackets, with a port',
      remote: '10.1.2.3',
      header: '[2001:db8:1:2::9]:80',
      network: '2001:db8:1:2::/64',
    },
    { name: 'without the header: the proxy', remote: '10.1.2.3', header: '', network: '10.1.2.3' },
    { name: '"unknown": the proxy', remote: '10.1.2.3', header: 'unknown', network: '10.1.2.3' },
    {
      name: 'garbage: the last trusted hop before it',
      remote: '10.1.2.3',
      header: '1.1.1.1, ;DROP, 10.7.7.7',
      network: '10.7.7.7',
    },
  ])('$name', ({ remote, header, network }) => {
    expect(networkOf(remote, header, readTrustedProxies(TRUSTED))).toBe(network)
  })

  test('for any header, the result is an IPv4 address or a /64 network', () => {
    const proxies = readTrustedProxies('0.0.0.0/0, ::/0')
    const hop = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.string(),
      fc.constantFrom('', ',', '::', '[', '1.2.3.4:', '::ffff:1.2.3'),
    )
    fc.assert(
      fc.property(fc.array(hop), (hops) => {
        expect(networkOf('10.0.0.1', hops.join(','), proxies)).toMatch(/^(\d+\.\d+\.\d+\.\d+|[0-9a-f:]+::\/64)$/)
      }),
    )
  })
})

describe('TRUST_PROXY', () => {
  test.each(['localhost', '10.0.0.0/33', '::1/129', '10.0.0.1/', '10.0.0.256', '10.0.0.0/8/8', '/8', 'fe80::1%eth0'])(
    'the error for %s, which is neither an address nor a range, names it',
    (entry) => {
      expect(() => readTrustedProxies(`127.0.0.1, ${entry}`)).toThrow(SettingError)
      expect(() => readTrustedProxies(`127.0.0.1, ${entry}`)).toThrow(`"${entry}"`)
    },
  )

  test('empty entries are ignored', () => {
    expect(readTrustedProxies(' , ,').rules).toEqual([])
  })
})
