import { getServers } from 'node:dns'
import { disposableDomains, loadDomainList } from './disposable.ts'
import { parseDnsServers } from './dns-servers.ts'
import type { Presence } from './mx-client.ts'
import { MxResolver } from './mx-resolver.ts'
import type { ValidationSources } from './verdict.ts'

/** What an operator can set, as it stands in the environment. */
export interface ValidationSettings {
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
export function openValidationSources(
  { dnsServers, disposableExtra, disposableExcept }: ValidationSettings,
  countLookUp?: (presence: Presence) => void,
): ValidationSources & { readonly mx: MxResolver } {
  return {
    isDisposable: disposableDomains({
      extra: disposableExtra ? loadDomainList('DISPOSABLE_EXTRA', disposableExtra) : [],
      except: disposableExcept ? loadDomainList('DISPOSABLE_EXCEPT', disposableExcept) : [],
    }),
    mx: new MxResolver(dnsServers === '' ? getServers() : parseDnsServers(dnsServers), countLookUp),
  }
}
