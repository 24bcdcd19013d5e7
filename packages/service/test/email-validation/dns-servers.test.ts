import { describe, expect, test } from 'vitest'
import { parseDnsServers } from '../../src/email-validation/dns-servers.ts'

describe('DNS_SERVERS', () => {
  test.each([
    { text: '192.0.2.1', servers: ['192.0.2.1'] },
    { text: '192.0.2.1:5353', servers: ['192.0.2.1:5353'] },
    { text: '192.0.2.1, 192.0.2.2:54', servers: ['192.0.2.1', '192.0.2.2:54'] },
    { text: '2001:db8::1', servers: ['2001:db8::1'] },
    { text: '[2001:db8::1]', servers: ['[2001:db8::1]'] },
    { text: '[::1]:65535', servers: ['[::1]:65535'] },
    { text: '::1', servers: ['::1'] },
    { text: '2001:db8::8888', servers: ['2001:db8::8888'] },
  ])('$text', ({ text, servers }) => expect(parseDnsServers(text)).toEqual(servers))

  test.each([
    { name: 'a port out of range', text: '192.0.2.1:99999', named: '192.0.2.1:99999' },
    { name: 'port 0', text: '192.0.2.1:0', named: '192.0.2.1:0' },
    { name: 'no port after the colon', text: '192.0.2.1:', named: '192.0.2.1:' },
    { name: 'a host name', text: 'dns.example.com', named: 'dns.example.com' },
    { name: 'three numbers', text: '192.0.2', named: '192.0.2' },
    { name: 'an IPv6 address whose end may be a port', text: '::1:53', named: '::1:53' },
    { name: 'IPv4 in brackets', text: '[192.0.2.1]:53', named: '[192.0.2.1]:53' },
    { name: 'an unclosed bracket', text: '[::1', named: '[::1' },
    { name: 'an empty item', text: '192.0.2.1,', named: '"" is not' },
    { name: 'an empty list', text: ' ', named: '"" is not' },
    { name: 'a URL', text: 'https://192.0.2.1', named: 'https://192.0.2.1' },
  ])('the error names the setting and the item: $name', ({ text, named }) => {
    expect(() => parseDnsServers(text)).toThrow(`DNS_SERVERS`)
    expect(() => parseDnsServers(text)).toThrow(named)
  })
})
