import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { SettingError } from '../config.ts'

/**
 * Parses the operator's list of proxies: addresses and CIDR ranges, separated by commas.
 * @throws SettingError when an entry is neither; the message names it
 */
export function readTrustedProxies(list: string): BlockList {
  const proxies = new BlockList()
  for (const entry of list.split(',').map((part) => part.trim())) {
    if (entry !== '') addProxy(proxies, entry)
  }
  return proxies
}

function addProxy(proxies: BlockList, entry: string): void {
  const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  const bits = family === 'ipv4' ? 32 : 128
  if (isIP(address) === 0 || address.includes('%') || Number(prefix ?? 0) > bits) {
    throw new SettingError(`TRUST_PROXY must list addresses or CIDR ranges, and "${entry}" is neither`)
  }
  proxies.addSubnet(address, prefix === undefined ? bits : Number(prefix), family)
}

/**
 * The network that a request comes from: the peer's address or, if that is a trusted proxy, the last entry of
 * `X-Forwarded-For` that is not a trusted proxy. An entry that is not an address ends the search at the last trusted
 * hop.
 * @returns an IPv4 address, or the /64 network of an IPv6 address, in canonical form
 */
export function networkOf(remoteAddress: string | undefined, forwardedFor: string, proxies: BlockList): string {
  let nearest = canonicalAddress(remoteAddress ?? '') ?? 'unknown'
  const hops = forwardedFor.split(',')
  while (hops.length > 0 && isTrusted(nearest, proxies)) {
    const hop = canonicalAddress(hops.pop() ?? '')
    if (hop === undefined) break
    nearest = hop
  }
  return isIPv6(nearest) ? networkOfIPv6(nearest) : nearest
}

/**
 * {@link networkOf} for a request from Node.
 * @param onIgnored called once if no proxy is trusted and a request was forwarded: behind an undeclared proxy all
 * callers look like one
 */
export function networkReader(proxies: BlockList, onIgnored: () => void): (request: IncomingMessage) => string {
  const trustsNobody = proxies.rules.length === 0
  let wasTold = false
  return (request) => {
    const forwarded = request.headers['x-forwarded-for']
    if (trustsNobody) {
      if (forwarded !== undefined && !wasTold) onIgnored()
      wasTold ||= forwarded !== undefined
      return networkOf(request.socket.remoteAddress, '', proxies)
    }
    return networkOf(
      request.socket.remoteAddress,
      Array.isArray(forwarded) ? forwarded.join() : (forwarded ?? ''),
      proxies,
    )
  }
}

function isTrusted(address: string, proxies: BlockList): boolean {
  if (isIPv6(address)) return proxies.check(address, 'ipv6')
  // A range may have been written for the mapped form.
  return isIPv4(address) && (proxies.check(address, 'ipv4') || proxies.check(`::ffff:${address}`, 'ipv6'))
}

/**
 * An address as proxies write it (`1.2.3.4:567`, `[::1]:567`, `fe80::1%eth0`), without port and zone; mapped ones as
 * IPv4.
 */
function canonicalAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(trimmed)?.[1] ?? trimmed
  const address = bare.replace(/%.*$/s, '')
  if (isIPv4(address)) return address
  return isIPv6(address) ? unmapped(address) : undefined
}

/** IPv4-mapped IPv6 (RFC 4291, 2.5.5.2) is IPv4. */
function unmapped(address: string): string {
  const groups = groupsOf(address)
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return isMapped ? [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.') : address
}

function networkOfIPv6(address: string): string {
  const network = groupsOf(address).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/** The eight groups of a valid IPv6 address, which may end in dotted form. */
function groupsOf(address: string): readonly number[] {
  const hexadecimal = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => {
    return `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`
  })
  const [head = '', tail] = hexadecimal.split('::')
  const before = numbersOf(head)
  if (tail === undefined) return before
  const after = numbersOf(tail)
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function numbersOf(groups: string): readonly number[] {
  return groups === '' ? [] : groups.split(':').map((group) => Number.parseInt(group, 16))
}
