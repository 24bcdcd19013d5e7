import { FUZZY_ROWS, refuse, unitsOf } from '@keepfirst/protocol'
import type { Compute, Job } from './call.ts'
import type { Desk } from './desk.ts'
import type { Endpoint, Work } from './way.ts'

type Deduplication = Work & Pick<Job, 'fuzzy'>

/** `POST /api/dedupe` (specification 4.1): anyone may come, a key is needed for fuzzy matching only. */
export function dedupe(compute: Compute, desk: Pick<Desk, 'baseUrl'>): Endpoint<Deduplication> {
  return {
    path: '/api/dedupe',
    mode: null,
    greet: () => undefined,
    async open(body, client) {
      const bodyBytes = body.byteLength // read now: the body may move to a worker
      const job = await compute.open(body, client)
      if (job === 'busy' || job.kind === 'refusal') return job
      const { kind, mode, rows, fuzzy } = job
      const units = unitsOf(rows, bodyBytes)
      return { kind, mode, rows, fuzzy, units, run: () => job.run(), discard: () => job.discard() }
    },
    permit(job, caller) {
      if (!job.fuzzy) return undefined
      if (caller.kind === 'keyless') return refuse.fuzzyNeedsKey(desk.baseUrl)
      return job.rows > FUZZY_ROWS ? refuse.tooManyFuzzyRows(job.rows) : undefined
    },
  }
}
