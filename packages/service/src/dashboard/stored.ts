import type { StoredView } from '@keepfirst/protocol'
import { CLAIM_HOURS } from '../accounts/claims.ts'
import { PREFIX_CHARACTERS } from '../accounts/keys.ts'
import { SINGLE_REFUSALS } from '../store/notes.ts'
import { KEYLESS_KEPT_HOURS } from '../store/prune.ts'
import { SESSION_DAYS } from './auth-service.ts'

const { requests: refusals } = SINGLE_REFUSALS

/**
 * Everything that this server stores about its users, worded for them: one entry for each table that contains personal
 * data.
 * @param eventDays how long individual calls are kept
 */
export function whatIsStored(eventDays: number): readonly StoredView[] {
  return [
    {
      what: 'Accounts',
      detail: 'email address, plan, when and by whom it was created, when its owner claimed it, a hash of the password',
      kept: 'until the account is deleted; its usage remains in totals without a name',
    },
    {
      what: 'Keys',
      detail: `name, the first ${PREFIX_CHARACTERS} characters, a hash of the token, when it was created, last used and revoked`,
      kept: 'until the account is deleted',
    },
    {
      what: 'Sessions',
      detail:
        'a hash of the session’s token, when it began and when it ends; no network address and nothing about the browser',
      kept: `until you sign out, ${SESSION_DAYS} days at most`,
    },
    {
      what: 'One-time links',
      detail: 'a hash of the link and when it expires',
      kept: `until it is used, ${CLAIM_HOURS} hours at most`,
    },
    {
      what: 'Calls with a key',
      detail: `time, key, mode, rows, rows removed, units, status, duration; never what was sent. Of refused calls, at most ${refusals} an hour per key`,
      kept: `${eventDays} days`,
    },
    {
      what: 'Totals of calls',
      detail: 'calls, rows, rows removed and units of each day, key, mode and status; units of each month',
      kept: 'indefinitely',
    },
    {
      what: 'Calls without a key',
      detail:
        'a keyed hash of the network address and the units used; the secret key for the hash is not in the database',
      kept: `until ${KEYLESS_KEPT_HOURS} hour after the day ends (UTC)`,
    },
  ]
}
