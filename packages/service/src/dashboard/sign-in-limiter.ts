import { BackoffLimiter } from '../limits/backoff-limiter.ts'
import { RecentMap } from '../limits/recent-map.ts'

/** Attempts at one account from anywhere: about a hundred a day at most. */
const BY_ACCOUNT = { free: 5, firstWaitSeconds: 1, longestWaitSeconds: 900, forgottenAfterSeconds: 86_400 }
/** Attempts from one network at any account. Many people may share it, so it never waits for long. */
const BY_NETWORK = { free: 60, firstWaitSeconds: 1, longestWaitSeconds: 60, forgottenAfterSeconds: 600 }
/** Networks remembered per account. */
const NETWORKS = 8

/**
 * Limits password guesses by account and by network. A network that recently signed in to the account has its own count
 * for it, so that nobody can lock the owner out by guessing from elsewhere.
 */
export class SignInLimiter {
  readonly #now: () => number
  readonly #byAccount = new BackoffLimiter(BY_ACCOUNT)
  readonly #byNetwork = new BackoffLimiter(BY_NETWORK)
  readonly #networks = new RecentMap<readonly string[]>()

  /** @param now milliseconds since 1970 UTC */
  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Counts one attempt at the password of an address, whether the address is known or not.
   * @returns 0, or whole seconds (at least 1) until the next attempt is accepted
   */
  take(network: string, email: string): number {
    const now = this.#now()
    const account = email.toLowerCase()
    if (this.#networks.get(account)?.includes(network)) return this.#byAccount.take(`${account} ${network}`, now)
    // Attempts refused for the account are not counted for the network, so its other users are not affected.
    const wait = this.#byAccount.secondsToWait(account, now) || this.#byNetwork.take(network, now)
    return wait > 0 ? wait : this.#byAccount.take(account, now)
  }

  /** After a successful sign-in: clears the account's count, but not the network's. */
  succeeded(network: string, email: string): void {
    const account = email.toLowerCase()
    this.#byAccount.forgive(account)
    this.#byAccount.forgive(`${account} ${network}`)
    const others = this.#networks.get(account)?.filter((other) => other !== network) ?? []
    this.#networks.set(account, [network, ...others].slice(0, NETWORKS))
  }

  /** After a change of owner: clears everything known about the account. */
  forget(email: string): void {
    const account = email.toLowerCase()
    this.#byAccount.forgive(account)
    this.#networks.delete(account)
  }
}
