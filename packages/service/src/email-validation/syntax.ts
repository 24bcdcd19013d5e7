import { domainToASCII, domainToUnicode } from 'node:url'

/*
 * Pragmatic syntax: the addresses of real mailboxes, which is less than RFC 5321 and 5322 allow and, with RFC 6531,
 * more than ASCII. Every pattern below takes linear time.
 */

/** A valid address: its local part as submitted and its domain in lower-case ASCII form, as DNS knows it. */
export interface Mailbox {
  readonly local: string
  readonly domain: string
}

/** RFC 5321 4.5.3.1.3 allows a path of 256 octets, angle brackets included. */
const ADDRESS_OCTETS = 254
/** RFC 5321 4.5.3.1.1. In octets, so a Chinese character counts as three. */
const LOCAL_OCTETS = 64
/** RFC 1035 2.3.4. */
const LABEL_OCTETS = 63
/**
 * An octet of a domain's ASCII form stands for at most this many UTF-16 units: NFC makes one character of up to four,
 * and a character outside the BMP with its variation selector has four. A longer text cannot be within its limit.
 */
const UNITS_PER_OCTET = 4

/**
 * Characters that nobody can see or type knowingly: spaces, controls, lone surrogates, private-use and unassigned code
 * points, the replacement character left behind by broken conversions, and default-ignorable ones, except those that
 * scripts and emoji need: the two joiners and the variation selectors.
 */
const INVISIBLE = /(?!\u200C|\u200D|\p{Variation_Selector})[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\uFFFD]/u

/**
 * RFC 5322 dot-atom with the non-ASCII of RFC 6531: atoms joined by single dots. No quoted local parts, comments or
 * escapes: the grammar allows them, but real mailboxes do not use them.
 */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10FFFF}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u0080-\u{10FFFF}-]+)*$/u

/** The same with dots anywhere but at the start: Japanese mobile carriers issued such addresses, some still in use. */
const DOTTED_LOCAL = /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10FFFF}-][\w.!#$%&'*+/=?^`{|}~\u0080-\u{10FFFF}-]*$/u
const DOTTED_DOMAINS: ReadonlySet<string> = new Set(['docomo.ne.jp', 'ezweb.ne.jp'])

/**
 * Characters allowed in a domain before conversion. Checked before IDNA, never after: a URL parser would decode `%61`,
 * cut at `/`, `?` and `#`, and drop tabs, turning a broken domain into a different one.
 */
const DOMAIN = /^[a-z0-9.\-\u0080-\u{10FFFF}]+$/iu

/** RFC 1123 2.1: letters, digits and inner hyphens, 1 to 63 octets. DNS would allow more; mail does not. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * A last label that URL parsers and resolvers take for the end of an IPv4 address; no top-level domain looks like this.
 */
const NUMERIC = /^(?:\d+|0x[0-9a-f]*)$/

/** Needs the platform's IDNA: contains something to encode, or something encoded that has to decode. */
const INTERNATIONAL = /[^\0-\x7F]|(?:^|\.)xn--/i

/** What UTS 46 takes for the end of a label. */
const DOT = /[.\u3002\uFF0E\uFF61]/

/** The mailbox that an address denotes, or undefined if no real mailbox has such an address. Never throws. */
export function parseAddress(address: string): Mailbox | undefined {
  // Before any pattern sees it, since an address may be as long as a body.
  if (address.length > ADDRESS_OCTETS * UNITS_PER_OCTET || INVISIBLE.test(address)) return undefined

  // The only `@`: quoted ones are not accepted, and the full-width one is not a separator (RFC 6531 3.3).
  const at = address.indexOf('@')
  if (at < 1 || at !== address.lastIndexOf('@')) return undefined

  const local = address.slice(0, at)
  const localOctets = Buffer.byteLength(local)
  if (localOctets > LOCAL_OCTETS) return undefined

  const domain = parseDomain(address.slice(at + 1))
  // The domain is measured in its ASCII form. (Its own limit of 253 octets follows from this one.)
  if (domain === undefined || localOctets + 1 + domain.length > ADDRESS_OCTETS) return undefined
  if (!(DOTTED_DOMAINS.has(domain) ? DOTTED_LOCAL : LOCAL).test(local)) return undefined
  return { local, domain }
}

/**
 * A domain name in lower-case ASCII form, or undefined if no mail can be addressed to it. Address literals
 * (`[192.0.2.1]`) and bare addresses are not accepted, nor are single labels, which nobody sends mail to over the
 * Internet (RFC 7085). Whether a top-level domain exists is left to DNS.
 */
export function parseDomain(text: string): string | undefined {
  if (!DOMAIN.test(text) || INVISIBLE.test(text)) return undefined
  const domain = INTERNATIONAL.test(text) ? toAscii(text) : text.toLowerCase()
  if (domain === undefined || domain.length > 253) return undefined
  const labels = domain.split('.')
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return undefined
  return NUMERIC.test(labels.at(-1) ?? '') ? undefined : domain
}

/**
 * UTS 46 as browsers apply it (mapping full-width letters and ideographic full stops), plus the rules that it leaves
 * out.
 */
function toAscii(text: string): string | undefined {
  // The time for encoding a label grows with the square of its length.
  if (text.split(DOT).some((label) => label.length > LABEL_OCTETS * UNITS_PER_OCTET)) return undefined
  const domain = domainToASCII(text)
  const labels = domain.split('.')
  const decoded = domainToUnicode(domain).split('.')
  const sound = labels.every((label, i) => !label.startsWith('xn--') || isInternational(decoded[i] ?? ''))
  return sound ? domain : undefined
}

/** RFC 5891 4.2.3.1: no hyphen at either end; also, an encoded label must contain something that needed encoding. */
function isInternational(label: string): boolean {
  return /[^\0-\x7F]/.test(label) && !label.startsWith('-') && !label.endsWith('-')
}
