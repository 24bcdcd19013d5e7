import { getServers } from 'node:dns'
import type { Presence } from './attempt.ts'
import { disposableDomains, loadDomainList } from './disposable.ts'
import { parseDnsServers } from './dns-servers.ts'
import { MxLookUps } from './mx.ts'
import type { Hygiene } from './verdict.ts'

/** What an operator can set, as it stands in the environment. */
export interface HygieneSettings {
  /** `DNS_SERVERS`; empty for those of the system. */
  readonly dnsServers: string
  /** Paths of `DISPOSABLE_EXTRA` and `DISPOSABLE_EXCEPT`. */
  readonly disposableExtra: string | undefined
  readonly disposableExcept: string | undefined
}

/**
 * Reads the lists and the name servers, once.
 * @throws SettingError that names the setting, and where it is a file its line
 */
export function openHygiene(
  { dnsServers, disposableExtra, disposableExcept }: HygieneSettings,
  countLookUp?: (presence: Presence) => void,
): Hygiene & { readonly mx: MxLookUps } {
  return {
    isDisposable: disposableDomains({
      extra: disposableExtra ? loadDomainList('DISPOSABLE_EXTRA', disposableExtra) : [],
      except: disposableExcept ? loadDomainList('DISPOSABLE_EXCEPT', disposableExcept) : [],
    }),
    mx: new MxLookUps(dnsServers === '' ? getServers() : parseDnsServers(dnsServers), countLookUp),
  }
}
