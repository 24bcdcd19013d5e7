import { readFileSync } from 'node:fs'
import { disposableEmailBlocklist } from 'disposable-email-domains-js'
import { SettingError } from '../config.ts'
import { parseDomain } from './syntax.ts'

/** Whether a domain (lower-case ASCII) belongs to a throw-away mail service. */
export type IsDisposable = (domain: string) => boolean

/** The operator's own lists: domains to add to the package's list, and domains never to flag. */
export interface OwnLists {
  readonly extra: readonly string[]
  readonly except: readonly string[]
}

/** Throw-away services that the package's list still lacks. */
const MISSING = [
  ...['cool.fr.nf', 'gettempmail.com', 'inboxes.com', 'nospam.ze.tm', 'owlymail.com', 'spamok.com', 'temp-inbox.com'],
  ...['temp-mail.io', 'tempemail.co', 'tempmail.com', 'tempmail.net', 'tempmailaddress.com'],
]

/** On the package's list, but these relays forward to a real mailbox for as long as its owner wants. */
const RELAYS = ['e4ward.com', 'opayq.com']

/**
 * Entries of the package's list under which others can register domains (private part of the Public Suffix List): they
 * are flagged, but their subdomains are not. A test checks this list against the Public Suffix List.
 */
const ONLY_THEMSELVES: ReadonlySet<string> = new Set(['dns.army', 'dns.navy', 'v6.army', 'v6.navy', 'v6.rocks'])

/**
 * Reads the lists once and returns the predicate. An entry covers its domain and everything below it; if an entry and
 * an exception both cover a domain, the longer one decides, and the exception if they are equal.
 */
export function disposableDomains(own: OwnLists): IsDisposable {
  const listed = new Set([...disposableEmailBlocklist(), ...MISSING, ...own.extra])
  const excepted = new Set([...RELAYS.filter((domain) => !own.extra.includes(domain)), ...own.except])

  return (domain) => {
    for (const parent of parents(domain)) {
      if (excepted.has(parent)) return false
      if (listed.has(parent) && (parent === domain || !ONLY_THEMSELVES.has(parent))) return true
    }
    return false
  }
}

/** The domain, then its parents down to two labels. */
function* parents(domain: string): Generator<string> {
  for (let parent = domain, dot = domain.indexOf('.'); dot >= 0; dot = parent.indexOf('.')) {
    yield parent
    parent = parent.slice(dot + 1)
  }
}

/**
 * Reads an operator's list of domains: one per line, in any spelling that DNS allows; blank lines and lines that start
 * with `#` are skipped.
 * @throws SettingError when the file cannot be read or a line is not a domain; the message names it
 */
export function loadDomainList(setting: string, path: string): readonly string[] {
  return readList(setting, path).flatMap((line, i) => {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) return []
    const domain = parseDomain(text)
    if (domain === undefined)
      throw new SettingError(`${setting} ${path}:${i + 1} is not a domain: ${JSON.stringify(text)}`)
    return [domain]
  })
}

function readList(setting: string, path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    throw new SettingError(`${setting} can't be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}
