import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import cases from '../../../../tests/spec/cases/email-syntax.json' with { type: 'json' }
import { runs } from '../../../../tests/support/runs.ts'
import { parseAddress, parseDomain } from '../../src/email-validation/syntax.ts'

/*
 * The first table comes from public test suites and RFCs (isemail's tests by Dominic Sayers, RFC 3696 and its errata,
 * RFC 5321, RFC 6531 and 6532, the cases of UTS 46); the second covers edge cases of our own rules.
 */
describe('syntax of addresses that real mailboxes can have', () => {
  test.each(cases)('$why: $email', ({ email, valid }) => expect(parseAddress(email) !== undefined).toBe(valid))
})

describe('edge cases of the rules', () => {
  test.each([
    { why: 'empty', email: '', valid: false },
    { why: 'only an at sign', email: '@', valid: false },
    { why: 'no local part', email: '@example.com', valid: false },
    { why: 'a mailbox with a display name', email: 'Jo <jo@example.com>', valid: false },
    { why: 'a mailto link', email: 'mailto:jo@example.com', valid: false },
    { why: 'the local part ends with a dot', email: 'name.@gmail.com', valid: false },
    { why: 'consecutive dots at docomo', email: 'a..b@docomo.ne.jp', valid: true },
    { why: 'a trailing dot at docomo', email: 'a.@docomo.ne.jp', valid: true },
    { why: 'consecutive and trailing dots at ezweb, in capitals', email: 'a...b..@EZWEB.NE.JP', valid: true },
    {
      why: 'consecutive dots at ezweb, with full-width letters in the domain',
      email: 'a..b@ｅｚｗｅｂ.ne.jp',
      valid: true,
    },
    { why: 'a leading dot at docomo', email: '.a@docomo.ne.jp', valid: false },
    { why: 'a space at docomo', email: 'a .b@docomo.ne.jp', valid: false },
    { why: 'dots only at ezweb', email: '..@ezweb.ne.jp', valid: false },
    { why: 'consecutive dots at a subdomain of docomo', email: 'a..b@mail.docomo.ne.jp', valid: false },
    { why: 'consecutive dots at another carrier', email: 'a..b@softbank.ne.jp', valid: false },
    { why: 'consecutive dots at a domain that only ends like docomo', email: 'a..b@notdocomo.ne.jp', valid: false },
    { why: 'local part of 64 octets', email: `${'a'.repeat(64)}@example.com`, valid: true },
    { why: 'local part of 65 octets', email: `${'a'.repeat(65)}@example.com`, valid: false },
    { why: 'a surrogate pair counts four octets: 64', email: `${'🐴'.repeat(16)}@example.com`, valid: true },
    { why: 'a surrogate pair counts four octets: 68', email: `${'🐴'.repeat(17)}@example.com`, valid: false },
    { why: 'a high surrogate at the very end', email: 'a@example.com\ud83d', valid: false },
    { why: 'a low surrogate before its high one', email: '\udc34\ud83d@example.com', valid: false },
    { why: 'word joiner', email: 'a\u2060b@example.com', valid: false },
    { why: 'soft hyphen, which IDNA drops', email: 'a@exam\u00adple.com', valid: false },
    { why: 'leading byte-order mark', email: '\ufeffa@example.com', valid: false },
    { why: 'combining grapheme joiner, which IDNA drops', email: 'a@exam\u034fple.com', valid: false },
    { why: 'Hangul filler, which is invisible', email: '\u3164@example.com', valid: false },
    { why: 'left-to-right mark', email: 'a\u200e@example.com', valid: false },
    { why: 'tag character', email: 'a\u{e0061}@example.com', valid: false },
    { why: 'noncharacter', email: 'a\uffff@example.com', valid: false },
    { why: 'unassigned code point', email: 'a\u0378@example.com', valid: false },
    { why: 'an emoji with its variation selector', email: 'a❤\ufe0f@example.com', valid: true },
    { why: 'a variation selector in the domain, which IDNA drops', email: 'a@☃\ufe0f.ws', valid: true },
    { why: 'non-joiner where Persian has it', email: 'a@\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.com', valid: true },
    { why: 'sharp s is a letter in its own right', email: 'a@straße.de', valid: true },
    { why: 'U-label with a leading hyphen', email: 'a@-münchen.de', valid: false },
    { why: 'U-label with a trailing hyphen', email: 'a@münchen-.de', valid: false },
    { why: 'A-label that encodes nothing', email: 'a@xn--abc-.com', valid: false },
    { why: 'A-label in capitals that does not decode', email: 'a@XN--A.COM', valid: false },
    { why: 'A-label in the middle that does not decode', email: 'a@mail.xn--0.example.com', valid: false },
    { why: 'xn-- inside a label does not make an A-label', email: 'a@axn--b.com', valid: true },
    { why: 'full-width low line maps to an underscore', email: 'a@＿a.com', valid: false },
    { why: 'full-width percent sign', email: 'a@ex％61mple.com', valid: false },
    { why: 'full-width digits in the last label', email: 'a@１.２', valid: false },
    { why: 'full-width digits before a domain', email: 'a@１６３.com', valid: true },
    { why: 'account-of sign, which maps to a slash', email: 'a@℀.com', valid: false },
    { why: 'ideographic full stop at the end', email: 'a@例え.jp。', valid: false },
    { why: 'hexadecimal last label', email: 'a@1.0x7f', valid: false },
    { why: 'bare 0x last label', email: 'a@example.0x', valid: false },
    { why: 'hexadecimal last label after letters', email: 'a@example.0xFF', valid: false },
    { why: 'digits then letters in the last label', email: 'a@example.1st', valid: true },
    { why: 'IPv6 address without brackets', email: 'a@2001:db8::1', valid: false },
    { why: 'IPv4 literal', email: 'a@[192.0.2.1]', valid: false },
    { why: 'a port', email: 'a@example.com:25', valid: false },
    { why: 'percent hack', email: 'a%example.org@example.com', valid: true },
    { why: 'bang path', email: 'example.org!a@example.com', valid: true },
    { why: 'label of 63 octets in its ASCII form', email: `a@${'ü'.repeat(57)}.de`, valid: true },
    { why: 'label of 64 octets in its ASCII form', email: `a@${'ü'.repeat(58)}.de`, valid: false },
    { why: 'label of 63 octets in its ASCII form, decomposed', email: `a@${'u\u0308'.repeat(57)}.de`, valid: true },
    { why: 'label of 64 octets in its ASCII form, decomposed', email: `a@${'u\u0308'.repeat(58)}.de`, valid: false },
    {
      why: 'seven labels of 20 emoji: 290 units, 199 octets',
      email: `a@${'😀'.repeat(20)}${`.${'😀'.repeat(20)}`.repeat(6)}.x`,
      valid: true,
    },
    {
      why: 'the same with variation selectors: 430 units, 199 octets',
      email: `a@${'☃\ufe0f'.repeat(20)}${`.${'☃\ufe0f'.repeat(20)}`.repeat(6)}.x`,
      valid: true,
    },
    {
      why: 'three labels of 57 umlauts, decomposed, and one of letters: 254 octets',
      email: `a@${`${'u\u0308'.repeat(57)}.`.repeat(3)}${'a'.repeat(57)}.de`,
      valid: true,
    },
    {
      why: 'the same with one letter more: 255 octets',
      email: `a@${`${'u\u0308'.repeat(57)}.`.repeat(3)}${'a'.repeat(58)}.de`,
      valid: false,
    },
    { why: 'letters: 254 octets', email: `a@${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(57)}.de`, valid: true },
    { why: 'letters: 255 octets', email: `a@${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(58)}.de`, valid: false },
    { why: 'ideographs up to the bound on units, in one label', email: `a@${'例'.repeat(1_000)}.jp`, valid: false },
    { why: 'five megabytes of ideographs', email: `a@${'例'.repeat(1_700_000)}.jp`, valid: false },
    { why: 'a vertical tab', email: 'a\v@example.com', valid: false },
    { why: 'a body of five megabytes', email: `${'a'.repeat(5_000_000)}@example.com`, valid: false },
    { why: 'five megabytes of dots', email: `a@${'.'.repeat(5_000_000)}`, valid: false },
  ])('$why', ({ email, valid }) => expect(parseAddress(email) !== undefined).toBe(valid))
})

describe('the domain for the look-up', () => {
  test.each([
    { why: 'lower case', email: 'a@EXAMPLE.Com', domain: 'example.com' },
    { why: 'ASCII form', email: 'a@München.de', domain: 'xn--mnchen-3ya.de' },
    { why: 'composed before it is encoded', email: 'a@mu\u0308nchen.de', domain: 'xn--mnchen-3ya.de' },
    { why: 'A-label, only lower-cased', email: 'a@XN--MNCHEN-3YA.DE', domain: 'xn--mnchen-3ya.de' },
    { why: 'full-width letters', email: 'a@ｇｍａｉｌ.com', domain: 'gmail.com' },
    { why: 'ideographic full stop', email: 'a@例え。jp', domain: 'xn--r8jz45g.jp' },
    { why: 'final sigma and eszett keep their meaning', email: 'a@faß.de', domain: 'xn--fa-hia.de' },
  ])('$why', ({ email, domain }) => expect(parseAddress(email)?.domain).toBe(domain))

  test('the local part is kept as submitted', () => {
    expect(parseAddress('Jo.Doe+List@Example.com')?.local).toBe('Jo.Doe+List')
  })
})

describe('any text', () => {
  const letters = fc.constantFrom(
    ...'aZ0.-_@+"(),:;<>[]\\ \t\n%/?#éß例。．ａ１٣אا\u200b\u200d\u0301\ufe0f\ufffd\ud83d\udc34\ud800'.split(''),
  )
  const specialText = fc.array(letters, { maxLength: 40 }).map((parts) => parts.join(''))
  const address = fc.oneof(
    fc.string({ unit: 'binary' }),
    specialText,
    fc.tuple(specialText, specialText).map((sides) => sides.join('@')),
  )

  test('never throws, and accepted addresses are valid in DNS and SMTP', () => {
    fc.assert(
      fc.property(address, (email) => {
        const mailbox = parseAddress(email)
        if (mailbox === undefined) return
        expect(mailbox.domain).toMatch(
          /^(?=.{1,252}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]*[a-z-][a-z0-9-]*$/,
        )
        expect(Buffer.byteLength(mailbox.local)).toBeLessThanOrEqual(64)
        expect(email.startsWith(`${mailbox.local}@`)).toBe(true)
      }),
      { numRuns: runs(20_000) },
    )
  })

  test('the ASCII form of a domain is a domain, and is its own ASCII form', () => {
    fc.assert(
      fc.property(specialText, (text) => {
        const domain = parseDomain(text)
        if (domain !== undefined) expect(parseDomain(domain)).toBe(domain)
      }),
      { numRuns: runs(20_000) },
    )
  })
})
