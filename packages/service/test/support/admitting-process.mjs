// Charges accounts without a pause until it is killed: `node admitting-process.mjs DATABASE_URL HOLDERS_AS_JSON AT`.
// Every line that it prints is the id of a charge that was acknowledged.
import { randomBytes } from 'node:crypto'
import { openDatabase } from '../../dist/store/open.js'

const [databaseUrl = '', holders = '[]', at = '0'] = process.argv.slice(2)
const { store } = await openDatabase(databaseUrl, randomBytes)

let charged = 0

async function keepCharging(holder) {
  for (;;) {
    const admission = await store.admit({ holder, at: Number(at), mode: 'json', rows: 2, units: 2 })
    if (admission.outcome !== 'admitted') continue
    process.stdout.write(`${admission.ticket.chargeId}\n`)
    if (charged++ % 3 === 0) {
      await store.refund(admission.ticket, { status: 500, removed: null, durationMs: 1 })
    } else {
      store.complete(admission.ticket, { status: 200, removed: 1, durationMs: 1 })
    }
  }
}

await Promise.all(JSON.parse(holders).flatMap((holder) => [keepCharging(holder), keepCharging(holder)]))
