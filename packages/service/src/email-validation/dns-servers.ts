import { isIPv4, isIPv6 } from 'node:net'
import { SettingError } from '../config.ts'

/**
 * Parses `DNS_SERVERS`: `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1`, `[2001:db8::1]:5353`, separated by commas, into
 * the form that `Resolver.setServers` takes.
 *
 * Stricter than `setServers`, which accepts port 99999 and reads `::1:53` as an address without a port.
 * @throws SettingError when an item is not a server; the message names it
 */
export function parseDnsServers(text: string): readonly string[] {
  return text.split(',').map((item) => {
    const server = item.trim()
    if (!isServer(server)) {
      throw new SettingError(`DNS_SERVERS must list addresses, address:port or [IPv6]:port, and "${server}" is not`)
    }
    return server
  })
}

function isServer(text: string): boolean {
  if (isIPv6(text)) return !looksLikePort(text)
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? []
  const address = bracketed === undefined ? isIPv4(plain ?? '') : isIPv6(bracketed)
  return address && (port === undefined || isPort(port))
}

function isPort(digits: string): boolean {
  return Number(digits) >= 1 && Number(digits) <= 65_535
}

/** An IPv6 address that remains one without its last group, which might be meant as a port; only brackets can tell. */
function looksLikePort(address: string): boolean {
  const colon = address.lastIndexOf(':')
  return /^\d+$/.test(address.slice(colon + 1)) && isIPv6(address.slice(0, colon))
}
