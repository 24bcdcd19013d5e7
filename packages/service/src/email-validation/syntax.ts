import { domainToASCII, domainToUnicode } from 'node:url'

/*
 * Pragmatic syntax: what the address of a real mailbox can look like, which is less than
 * RFC 5321 and 5322 allow and, with RFC 6531, more than ASCII. Every pattern below is linear.
 */

/** An address that passed: its local part as submitted, its domain in lower-case ASCII form as DNS knows it. */
export interface Mailbox {
  readonly local: string
  readonly domain: string
}

/** RFC 5321 4.5.3.1.3 allows a path of 256 octets, angle brackets included. */
const ADDRESS_OCTETS = 254
/** RFC 5321 4.5.3.1.1. Octets, so a Chinese character counts three times. */
const LOCAL_OCTETS = 64

/**
 * Characters that nobody can see or type for what they are: spaces, controls, lone surrogates, private
 * and unassigned code points, the replacement character that a broken conversion leaves behind, and
 * whatever renders as nothing. Spared are what scripts and emoji are written with: the two joiners
 * and the variation selectors.
 */
const INVISIBLE = /(?!\u200C|\u200D|\p{Variation_Selector})[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\uFFFD]/u

/**
 * RFC 5322 dot-atom, with RFC 6531's non-ASCII: atoms joined by single dots. No quoted local part, no
 * comment, no escape: grammar allows them, mailboxes that people have do not use them.
 */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10FFFF}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u0080-\u{10FFFF}-]+)*$/u

/** The same with dots anywhere but in front: mobile carriers of Japan gave out such mailboxes, which are still in use. */
const DOTTED_LOCAL = /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10FFFF}-][\w.!#$%&'*+/=?^`{|}~\u0080-\u{10FFFF}-]*$/u
const DOTTED_DOMAINS: ReadonlySet<string> = new Set(['docomo.ne.jp', 'ezweb.ne.jp'])

/**
 * What may stand in a domain before it is converted. This comes before IDNA, never after: a URL parser
 * would decode `%61`, cut at `/`, `?` and `#`, and drop tabs, and so make another domain of a broken one.
 */
const DOMAIN = /^[a-z0-9.\-\u0080-\u{10FFFF}]+$/iu

/** RFC 1123 2.1: letters, digits and inner hyphens, 1 to 63 octets. DNS would carry more; mail does not. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** A last label in which URL parsers and resolvers see the end of an IPv4 address; no top-level domain is like it. */
const NUMERIC = /^(?:\d+|0x[0-9a-f]*)$/

/** Needs the platform's IDNA: something to encode, or something encoded that has to decode. */
const INTERNATIONAL = /[^\0-\x7F]|(?:^|\.)xn--/i

/** The mailbox that an address names, or undefined when no real mailbox has such an address. Never throws. */
export function parseAddress(address: string): Mailbox | undefined {
  // Before any pattern sees it: an address may be as long as a body. UTF-16 units are never more than octets.
  if (address.length > ADDRESS_OCTETS || INVISIBLE.test(address)) return undefined

  // The only `@`: quoted ones are not taken, and the full-width one is not a separator (RFC 6531 3.3).
  const at = address.indexOf('@')
  if (at < 1 || at !== address.lastIndexOf('@')) return undefined

  const local = address.slice(0, at)
  const localOctets = Buffer.byteLength(local)
  if (localOctets > LOCAL_OCTETS) return undefined

  const domain = parseDomain(address.slice(at + 1))
  // A domain is as long as it travels: in ASCII. (Its own limit of 253 octets follows from this one.)
  if (domain === undefined || localOctets + 1 + domain.length > ADDRESS_OCTETS) return undefined
  if (!(DOTTED_DOMAINS.has(domain) ? DOTTED_LOCAL : LOCAL).test(local)) return undefined
  return { local, domain }
}

/**
 * A domain name in lower-case ASCII form, or undefined when no mail can be addressed to it. Address
 * literals (`[192.0.2.1]`) and bare addresses are not taken; nor are single labels, to which nobody
 * sends over the Internet (RFC 7085). Which top-level domains exist is for DNS to say.
 */
export function parseDomain(text: string): string | undefined {
  if (!DOMAIN.test(text) || INVISIBLE.test(text)) return undefined
  const domain = INTERNATIONAL.test(text) ? toAscii(text) : text.toLowerCase()
  if (domain === undefined || domain.length > 253) return undefined
  const labels = domain.split('.')
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return undefined
  return NUMERIC.test(labels.at(-1) ?? '') ? undefined : domain
}

/** UTS 46 as browsers do it (full-width letters and ideographic full stops are mapped), and the rules that it leaves out. */
function toAscii(text: string): string | undefined {
  const domain = domainToASCII(text)
  const labels = domain.split('.')
  const decoded = domainToUnicode(domain).split('.')
  const sound = labels.every((label, i) => !label.startsWith('xn--') || isInternational(decoded[i] ?? ''))
  return sound ? domain : undefined
}

/** RFC 5891 4.2.3.1: no hyphen at either end; and an encoded label has something to encode. */
function isInternational(label: string): boolean {
  return /[^\0-\x7F]/.test(label) && !label.startsWith('-') && !label.endsWith('-')
}
