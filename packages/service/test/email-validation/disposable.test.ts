import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { disposableEmailBlocklist } from 'disposable-email-domains-js'
import { getPublicSuffix } from 'tldts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disposableDomains, loadDomainList } from '../../src/email-validation/disposable.ts'

const isDisposable = disposableDomains({ extra: [], except: [] })

const THROW_AWAY = `
  mailinator.com guerrillamail.com sharklasers.com grr.la 10minutemail.com yopmail.com temp-mail.org temp-mail.io
  tempmail.net trashmail.com dispostable.com maildrop.cc mailnesia.com mintemail.com throwawaymail.com tempinbox.com
  emailondeck.com mohmal.com fakeinbox.com spam4.me discard.email tempail.com minuteinbox.com mailcatch.com mailnull.com
  tempr.email inboxkitten.com anonbox.net jetable.org emailfake.com generator.email crazymailing.com fakemail.net
  1secmail.com mail.tm dropmail.me emltmp.com harakirimail.com mailexpire.com spamex.com tempomail.fr mailsac.com
  getnada.com moakt.cc armyspy.com cuvox.de dayrep.com einrot.com jourrapide.com rhyta.com teleworm.us byom.de
  wegwerfemail.de muellmail.com mailforspam.com getairmail.com mytemp.email cool.fr.nf jetable.fr.nf mailpoof.com
`

const PROVIDERS = `
  gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com yahoo.co.uk yahoo.co.jp ymail.com
  rocketmail.com aol.com icloud.com me.com mac.com proton.me protonmail.com pm.me tutanota.com tuta.io fastmail.com
  zoho.com gmx.com gmx.de gmx.net web.de t-online.de freenet.de posteo.de mailbox.org mail.com email.com mail.ru
  yandex.ru yandex.com rambler.ru qq.com foxmail.com 163.com 126.com sina.com naver.com daum.net hanmail.net
  orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it tiscali.it terra.com.br uol.com.br bol.com.br
  seznam.cz wp.pl onet.pl o2.pl interia.pl abv.bg ukr.net bigpond.com btinternet.com comcast.net verizon.net att.net
  sbcglobal.net cox.net charter.net shaw.ca rogers.com hey.com hushmail.com runbox.com mailfence.com startmail.com
  rediffmail.com walla.co.il bluewin.ch telenet.be ziggo.nl kpnmail.nl telia.com online.no docomo.ne.jp
`

const RELAYS = `
  duck.com privaterelay.appleid.com icloud.com mozmail.com relay.firefox.com simplelogin.com simplelogin.co
  simplelogin.fr simplelogin.io aleeas.com slmail.me slmails.com silomails.com 8alias.com 8shield.net dralias.com
  passmail.net passmail.com passinbox.com passfwd.com addy.io anonaddy.com anonaddy.me opayq.com abine.com blur.com
  cloaked.id erine.email 33mail.com e4ward.com spamgourmet.com fastmail.fm messagingengine.com pobox.com
  users.noreply.github.com reply.github.com forwardemail.net improvmx.com ivpn.net use.startmail.com burnermail.io
`

const words = (text: string) => text.trim().split(/\s+/)

describe('disposable address services are flagged', () => {
  test.each(words(THROW_AWAY))('%s and its subdomains', (domain) => {
    expect(isDisposable(domain)).toBe(true)
    expect(isDisposable(`some.where.${domain}`)).toBe(true)
  })
})

describe('providers and relays are never flagged', () => {
  test.each([...words(PROVIDERS), ...words(RELAYS)])('%s', (domain) => {
    expect(isDisposable(domain)).toBe(false)
    expect(isDisposable(`mail.${domain}`)).toBe(false)
  })

  test('a domain that only ends like a listed one', () => expect(isDisposable('elsewheremailinator.com')).toBe(false))
  test.each(['com', 'constructor', '__proto__', ''])('not a listed domain: %j', (text) =>
    expect(isDisposable(text)).toBe(false),
  )
})

describe('public suffixes', () => {
  const options = { allowPrivateDomains: true }
  const suffixes = disposableEmailBlocklist().filter((domain) => getPublicSuffix(domain, options) === domain)

  test.each(suffixes)('%s is flagged, its subdomains are not', (suffix) => {
    expect(isDisposable(suffix)).toBe(true)
    expect(isDisposable(`someone.${suffix}`)).toBe(false)
  })
})

describe("an operator's own lists", () => {
  const own = disposableDomains({
    extra: ['bad.example', 'worse.good.example', 'both.example', 'opayq.com'],
    except: ['good.example', 'mailinator.com', 'both.example'],
  })
  test.each([
    { name: 'an addition', domain: 'bad.example', flagged: true },
    { name: 'a subdomain of an addition', domain: 'a.bad.example', flagged: true },
    { name: 'an exception', domain: 'mailinator.com', flagged: false },
    { name: 'a subdomain of an exception', domain: 'a.mailinator.com', flagged: false },
    { name: 'an addition below an exception: the longer one decides', domain: 'a.worse.good.example', flagged: true },
    { name: 'in both lists: the exception decides', domain: 'both.example', flagged: false },
    { name: 'an addition overrides our own exceptions', domain: 'opayq.com', flagged: true },
    { name: 'the rest of the list is unchanged', domain: 'yopmail.com', flagged: true },
  ])('$name', ({ domain, flagged }) => expect(own(domain)).toBe(flagged))
})

describe('the files of an operator', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'keepfirst-lists-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  function load(text: string) {
    const path = join(folder, 'list.txt')
    writeFileSync(path, text)
    return loadDomainList('DISPOSABLE_EXTRA', path)
  }

  test.each([
    { name: 'one domain per line', text: 'a.example\nb.example\n', domains: ['a.example', 'b.example'] },
    { name: 'no line break at the end', text: 'a.example', domains: ['a.example'] },
    {
      name: 'Windows line breaks and a byte-order mark',
      text: '\ufeffa.example\r\nb.example\r\n',
      domains: ['a.example', 'b.example'],
    },
    { name: 'empty lines and comments', text: '# ours\n\n  a.example  \n', domains: ['a.example'] },
    { name: 'any spelling', text: 'MÜNCHEN.example', domains: ['xn--mnchen-3ya.example'] },
    { name: 'an empty file', text: '', domains: [] },
  ])('$name', ({ text, domains }) => expect(load(text)).toEqual(domains))

  test.each([
    { name: 'an address', text: 'a.example\njo@b.example\n', named: 'list.txt:2 is not a domain: "jo@b.example"' },
    { name: 'two domains on a line', text: 'a.example b.example', named: 'list.txt:1 is not a domain' },
    { name: 'a whole top-level domain', text: '\n\ncom', named: 'list.txt:3 is not a domain: "com"' },
    { name: 'a wildcard', text: '*.a.example', named: 'list.txt:1 is not a domain' },
  ])('the error names the setting, the file and the line: $name', ({ text, named }) => {
    expect(() => load(text)).toThrow('DISPOSABLE_EXTRA')
    expect(() => load(text)).toThrow(named)
  })

  test('a missing file is named with its setting', () => {
    expect(() => loadDomainList('DISPOSABLE_EXCEPT', join(folder, 'none'))).toThrow(/^DISPOSABLE_EXCEPT.*ENOENT.*none/)
  })
})
