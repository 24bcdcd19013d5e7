import { ChargeGroup } from '../../packages/service/src/store/charge-group.ts'
import type { Clock } from '../../packages/service/src/store/clock.ts'
import { AnswerLost, type LedgerBatch, type LedgerDriver } from '../../packages/service/src/store/ledger-driver.ts'
import { NoteQueue } from '../../packages/service/src/store/notes.ts'
import { PendingFile } from '../../packages/service/src/store/pending-file.ts'
import { monthOf } from '../../packages/service/src/store/periods.ts'
import type { Store } from '../../packages/service/src/store/store.ts'

/** A fault that is planted to check that the simulation finds it. */
export interface Plant {
  /** Wraps the driver between the ledger and its database. */
  readonly driver?: (driver: LedgerDriver, clock: Clock) => LedgerDriver
  /** Wraps the store that the pipeline uses. */
  readonly store?: (store: Store) => Store
  /** Replaces a function of the real code; returns a function that restores it. */
  readonly replace?: () => () => void
}

export const PLANTED_FAULTS: readonly (Plant & { readonly fault: string })[] = [
  {
    fault: 'a refund is skipped',
    store: (store) => ({ ...store, refund: async () => {} }),
  },
  {
    fault: 'the refund of a keyless call is given twice',
    driver: sending((batch) => ({ ...batch, dayRefunds: [...batch.dayRefunds, ...batch.dayRefunds] })),
  },
  {
    fault: 'a refund goes into the month in which it is given',
    driver: (driver, clock) =>
      sending((batch) => {
        const period = monthOf(clock.now())
        return { ...batch, refunds: batch.refunds.map((refund) => ({ ...refund, period })) }
      })(driver),
  },
  {
    fault: 'a charge that was abandoned but committed is not refunded',
    driver: sending((batch) => ({ ...batch, refunds: batch.refunds.filter(({ durationMs }) => durationMs !== 5_000) })),
  },
  {
    fault: 'a commit whose answer was lost is repeated although it was written',
    driver: (driver) => ({
      concurrency: driver.concurrency,
      write: (batch) => driver.write(batch),
      settle: async (batch) => {
        await driver.settle(batch)
        return 'never'
      },
    }),
  },
  {
    fault: 'a commit whose answer was lost is not looked up',
    driver: (driver) => ({
      concurrency: driver.concurrency,
      settle: (batch) => driver.settle(batch),
      write: (batch) =>
        driver.write(batch).catch((error) => {
          throw error instanceof AnswerLost ? new Error('not written') : error
        }),
    }),
  },
  {
    fault: 'a completion bills',
    driver: sending((batch) => {
      const [completion] = batch.completions
      if (completion === undefined || batch.months.length > 0) return batch
      const take = { counter: completion.accountId, period: monthOf(completion.at), units: 1, room: 100 }
      return { ...batch, months: [take] }
    }),
  },
  {
    fault: 'the burst reservation of a failed charge is not released',
    replace: () => replaced(ChargeGroup.prototype, 'releaseReservations', () => {}),
  },
  {
    fault: 'the allowance is compared before a charge is added',
    driver: sending((batch) => ({
      ...batch,
      months: batch.months.map((take) => ({ ...take, room: take.room < 0 ? take.room : take.room + take.units })),
    })),
  },
  {
    fault: 'a caller that disconnected while its charge waited is billed',
    store: (store) => ({
      ...store,
      refund: async (ticket, completion) => {
        if (completion.status !== 499) await store.refund(ticket, completion)
      },
    }),
  },
  {
    fault: 'a charge is answered before its commit',
    driver: (driver) => ({
      concurrency: driver.concurrency,
      settle: (batch) => driver.settle(batch),
      write: async (batch) => {
        const written = driver.write(batch)
        if (batch.months.length + batch.days.length === 0) return written
        void written.catch(() => {})
        const taken = ({ units }: { readonly units: number }) => [units, 0] as const
        return { months: batch.months.map(taken), days: batch.days.map(taken) }
      },
    }),
  },
  {
    fault: 'notes that could not be written are lost',
    replace: () => replaced(NoteQueue.prototype, 'requeue', () => {}),
  },
  {
    fault: 'a stop does not save what it could not write',
    replace: () => replaced(PendingFile.prototype, 'keep', () => {}),
  },
  {
    fault: 'a revoked key is still cached',
    store: (store) => {
      const known = new Map<string, ReturnType<Store['findHolder']>>()
      return {
        ...store,
        findHolder(hash) {
          const found = known.get(hash) ?? store.findHolder(hash)
          known.set(hash, found)
          found.catch(() => known.delete(hash))
          return found
        },
      }
    },
  },
]

/** A driver that writes changed batches. */
function sending(change: (batch: LedgerBatch) => LedgerBatch): (driver: LedgerDriver) => LedgerDriver {
  return (driver) => ({
    concurrency: driver.concurrency,
    write: (batch) => driver.write(change(batch)),
    settle: (batch) => driver.settle(batch),
  })
}

/** Replaces a method; returns a function that restores it. */
function replaced<Type extends object, Name extends keyof Type>(type: Type, name: Name, other: Type[Name]): () => void {
  const original = type[name]
  type[name] = other
  return () => {
    type[name] = original
  }
}
