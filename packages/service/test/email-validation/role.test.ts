import { describe, expect, test } from 'vitest'
import { isRole } from '../../src/email-validation/role.ts'

describe('role accounts', () => {
  test.each([
    // RFC 2142
    ...'info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp'.split(
      ' ',
    ),
    ...'admin administrator contact hello help billing accounts jobs hr office team press legal privacy orders'.split(
      ' ',
    ),
    ...'noreply no-reply no_reply donotreply do-not-reply mailer-daemon root newsletter customer-service hey'.split(
      ' ',
    ),
    ...'gdpr dpo vertrieb buero rechnung bewerbung datenschutz kundenservice ventas contacto'.split(' '),
    'INFO',
    'Postmaster',
    'support+ticket42',
    'sales+a+b',
  ])('%s', (local) => expect(isRole(local)).toBe(true))
})

describe('people, places and other names', () => {
  test.each([
    ...'jo john.smith salesman infoman administrative.jo supporter information-desk-jo marketing.jo jo.sales'.split(
      ' ',
    ),
    ...'2024 123 asd paris berlin alexa gardner plex user family friends test home class time null'.split(' '),
    'jo+support',
    '+support',
    'sales-jo',
    'constructor',
    '__proto__',
    '',
  ])('%s is not a role account', (local) => expect(isRole(local)).toBe(false))
})
