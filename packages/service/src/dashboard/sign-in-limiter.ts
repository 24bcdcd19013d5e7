import { BackoffLimiter } from '../limits/backoff-limiter.ts'
import { RecentMap } from '../limits/recent-map.ts'

/** Guesses at one account, from wherever: some hundred a day at most. */
const BY_ACCOUNT = { free: 5, firstWaitSeconds: 1, longestWaitSeconds: 900, forgottenAfterSeconds: 86_400 }
/** Guesses of one network, at whatever accounts. Many people may share it: it never waits for long. */
const BY_NETWORK = { free: 60, firstWaitSeconds: 1, longestWaitSeconds: 60, forgottenAfterSeconds: 600 }
/** Networks that are remembered of one account. */
const NETWORKS = 8

/**
 * Bounds guesses at passwords, by account and by network. A network from which the account was signed in to lately
 * has a count of its own for it, so that nobody keeps an owner out by guessing from elsewhere.
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
   * Takes one attempt at the password of an address, whether anybody has that address or not.
   * @returns 0, or whole seconds (at least 1) until the next one is taken
   */
  take(network: string, email: string): number {
    const now = this.#now()
    const account = email.toLowerCase()
    if (this.#networks.get(account)?.includes(network)) return this.#byAccount.take(`${account} ${network}`, now)
    // What the account refuses is not counted for the network: its other people go on.
    const wait = this.#byAccount.secondsToWait(account, now) || this.#byNetwork.take(network, now)
    return wait > 0 ? wait : this.#byAccount.take(account, now)
  }

  /** Somebody signed in: the account is forgiven, not the network. */
  succeeded(network: string, email: string): void {
    const account = email.toLowerCase()
    this.#byAccount.forgive(account)
    this.#byAccount.forgive(`${account} ${network}`)
    const others = this.#networks.get(account)?.filter((other) => other !== network) ?? []
    this.#networks.set(account, [network, ...others].slice(0, NETWORKS))
  }

  /** The account has another owner: nothing of what was known before counts. */
  forget(email: string): void {
    const account = email.toLowerCase()
    this.#byAccount.forgive(account)
    this.#networks.delete(account)
  }
}
