import { isIPv4, isIPv6 } from 'node:net'
import { SettingError } from '../config.ts'

/**
 * Reads `DNS_SERVERS`: `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1`, `[2001:db8::1]:5353`, separated by commas.
 * Returns what `Resolver.setServers` takes.
 * @throws SettingError that names the item which is not a server
 *
 * Stricter than `setServers`, which takes port 99999 and reads `::1:53` as an address without a port.
 */
export function parseDnsServers(text: string): readonly string[] {
  return text.split(',').map((item) => {
    const server = item.trim()
    if (!isServer(server)) {
      throw new SettingError(`DNS_SERVERS must list addresses, address:port or [IPv6]:port, and "${server}" is none`)
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

/** An IPv6 address that is still one without its last group, which could be meant as a port: brackets tell. */
function looksLikePort(address: string): boolean {
  const colon = address.lastIndexOf(':')
  return /^\d+$/.test(address.slice(colon + 1)) && isIPv6(address.slice(0, colon))
}
