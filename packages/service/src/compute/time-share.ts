/** How long a run continues before it is another tenant's turn. */
const SLICE_MS = 250

/** Work that can be paused. */
export interface SharedRun {
  readonly tenant: string
  /** Resolves when its thread is free, or it turns out that it needs none. */
  readonly ended: Promise<void>
  readonly state: 'waiting' | 'running' | 'paused' | 'ended'
  /** Earliest start, in milliseconds of the service's clock. */
  readonly earliestAt: number
  /** How long it has run, not counting pauses. */
  ranMs: number
  /** Starts it in a thread, or resumes it. */
  startOrResume(): void
  pause(): void
}

export interface TimeShareOptions {
  /** How many runs may work at the same time. */
  readonly maxRunning: number
  /** How many runs may have a thread; those that are not working are paused and keep theirs. */
  readonly maxStarted: number
  /** Milliseconds of the service's clock. */
  readonly now: () => number
}

/**
 * Shares running time among tenants in slices: the tenant that had the least time goes next, and its runs go in the
 * order of their arrival (start-time fair queueing, Goyal, Vin and Cheng 1996). A new tenant starts level with the one
 * that had the least.
 */
export class TimeShare {
  readonly #options: TimeShareOptions
  /** Unfinished runs in order of arrival. */
  readonly #runs = new Set<SharedRun>()
  /** Running time in milliseconds of each tenant that has a run here; only differences matter. */
  readonly #served = new Map<string, number>()
  #chargedAt = 0
  #nextSlice: NodeJS.Timeout | undefined

  constructor(options: TimeShareOptions) {
    this.#options = options
  }

  add(run: SharedRun): void {
    this.#charge()
    if (!this.#served.has(run.tenant)) {
      const least = this.#served.size === 0 ? 0 : Math.min(...this.#served.values())
      this.#served.set(run.tenant, least - 1) // a millisecond ahead: the first slice belongs to the new tenant
    }
    this.#runs.add(run)
    this.#share()
    void run.ended.then(() => this.#remove(run))
  }

  #remove(run: SharedRun): void {
    this.#charge()
    this.#runs.delete(run)
    if (![...this.#runs].some(({ tenant }) => tenant === run.tenant)) this.#served.delete(run.tenant)
    this.#share()
  }

  /** Adds the time since the last call to the runs that worked. */
  #charge(): void {
    const at = this.#options.now()
    const elapsedMs = Math.max(0, at - this.#chargedAt)
    this.#chargedAt = at
    for (const run of this.#runs) {
      if (run.state !== 'running') continue
      run.ranMs += elapsedMs
      this.#served.set(run.tenant, this.#servedMs(run) + elapsedMs)
    }
  }

  #servedMs({ tenant }: SharedRun): number {
    return this.#served.get(tenant) ?? 0
  }

  /** Resumes the runs whose turn it is and pauses the others. */
  #share(): void {
    const chosen = this.#choose()
    for (const run of this.#runs) if (run.state === 'running' && !chosen.has(run)) run.pause()
    for (const run of chosen) if (run.state !== 'running') run.startOrResume()
    clearTimeout(this.#nextSlice)
    if (chosen.size === this.#runs.size) return
    this.#nextSlice = setTimeout(() => {
      this.#charge()
      this.#share()
    }, SLICE_MS)
  }

  #choose(): ReadonlySet<SharedRun> {
    const chosen = new Set<SharedRun>()
    const served = new Map(this.#served)
    while (chosen.size < this.#options.maxRunning) {
      let best: SharedRun | undefined
      for (const run of this.#runs) {
        if (chosen.has(run) || !this.#mayRun(run, chosen)) continue
        if (best === undefined || (served.get(run.tenant) ?? 0) < (served.get(best.tenant) ?? 0)) best = run
      }
      if (best === undefined) break
      chosen.add(best)
      served.set(best.tenant, (served.get(best.tenant) ?? 0) + SLICE_MS)
    }
    return chosen
  }

  /** Whether a run may work: if it has no thread yet, one must be free, and its tenant must leave some for others. */
  #mayRun(run: SharedRun, chosen: ReadonlySet<SharedRun>): boolean {
    if (run.state === 'ended') return false
    if (run.state !== 'waiting') return true
    if (run.earliestAt > this.#options.now()) return false
    const started = [...this.#runs].filter((other) => isStarted(other) || chosen.has(other))
    const ofTenant = started.filter(({ tenant }) => tenant === run.tenant)
    return started.length < this.#options.maxStarted && ofTenant.length < this.#options.maxRunning
  }
}

function isStarted({ state }: SharedRun): boolean {
  return state === 'running' || state === 'paused'
}
