import { getServers } from 'node:dns'
import { disposableDomains, loadDomainList } from './disposable.ts'
import { parseDnsServers } from './dns-servers.ts'
import type { MxPresence } from './mx-client.ts'
import { MxResolver } from './mx-resolver.ts'
import type { ValidationSources } from './verdict.ts'

/** The operator's settings, as given in the environment. */
export interface ValidationSettings {
  /** `DNS_SERVERS`; empty for the system's. */
  readonly dnsServers: string
  /** Paths from `DISPOSABLE_EXTRA` and `DISPOSABLE_EXCEPT`. */
  readonly disposableExtra: string | undefined
  readonly disposableExcept: string | undefined
}

/**
 * Reads the lists and the name servers once.
 * @throws SettingError when a setting, or a file that it names, is invalid
 */
export function openValidationSources(
  { dnsServers, disposableExtra, disposableExcept }: ValidationSettings,
  countLookup?: (presence: MxPresence) => void,
): ValidationSources & { readonly mx: MxResolver } {
  return {
    isDisposable: disposableDomains({
      extra: disposableExtra ? loadDomainList('DISPOSABLE_EXTRA', disposableExtra) : [],
      except: disposableExcept ? loadDomainList('DISPOSABLE_EXCEPT', disposableExcept) : [],
    }),
    mx: new MxResolver(dnsServers === '' ? getServers() : parseDnsServers(dnsServers), countLookup),
  }
}
