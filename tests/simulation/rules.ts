import { PLANS } from '@keepfirst/protocol'
import type { Database } from '../../packages/service/src/store/database.ts'
import { wrongSums } from '../support/sums.ts'
import type { SimulatedCall } from './callers.ts'
import type { World } from './world.ts'

/*
 * What has to hold in every world:
 *
 *   no account exceeds its allowance, no address its daily allowance   (checked at every commit by `World`)
 *   counters and sums equal the sums of their events                   (at any time)
 *   answered calls are billed once
 *   refused calls are not billed, nor are those of callers that left before admission; refunds are given once
 *   the ledger records the outcome of every call that was admitted or refused
 *   no call is refused without reason
 *   every call ends in bounded time
 *   revoked keys are refused
 *
 * Calls whose outcome a killed process had not written are exempt where that is unavoidable: they stay billed, but
 * never twice.
 */

type Event = Awaited<ReturnType<typeof eventsOf>>[number]

/** The longest admission; a look-up takes at most 5 s, and so does the first attempt at a refund. */
const MAX_ADMISSION_MS = 5_100
const MAX_WAIT_MS = 5_000 + MAX_ADMISSION_MS + 5_000

/** Counters, and sums for reports, that differ from the sums of their events. */
export async function balanceViolations({ kysely }: Database): Promise<readonly string[]> {
  const sums = new Map<string, number>()
  const add = (name: string, units: number): void => void sums.set(name, (sums.get(name) ?? 0) + units)
  for (const { account_id, month, used } of await kysely.selectFrom('usage_months').selectAll().execute()) {
    add(`${account_id} in ${month}`, used)
  }
  for (const { account_id, at, units } of await eventsOf({ kysely })) {
    add(`${account_id} in ${new Date(at).toISOString().slice(0, 7)}`, -units)
  }
  const wrong = [...sums].filter(([, difference]) => difference !== 0)
  return [
    ...wrong.map(([name, difference]) => `the counter of ${name} differs from its events by ${difference}`),
    ...(await wrongSums({ kysely })),
  ]
}

function eventsOf({ kysely }: Pick<Database, 'kysely'>) {
  return kysely.selectFrom('usage_events').selectAll().execute()
}

/** All violations of the rules at the end of a world. */
export async function violationsOf(world: World): Promise<readonly string[]> {
  const events = await eventsOf(world.database)
  const days = await world.database.kysely.selectFrom('usage_days').selectAll().execute()
  return [
    ...world.calls.flatMap((call) =>
      [
        ...billing(
          call,
          events.filter(({ rows }) => rows === call.plan.number),
        ),
        ...replies(call, world),
      ].map((broken) => `call ${call.plan.number} (${call.outcome}): ${broken}`),
    ),
    ...world.keys.flatMap(({ key }) => {
      const ofKey = events.filter((event) => event.key_id === key.id && event.charge_id === null).length
      const summed = days.filter((day) => day.key_id === key.id).reduce((sum, day) => sum + day.calls, 0)
      return refusals(world, key.id, ofKey + summed)
    }),
    ...bursts(world, events),
    ...(await keylessDays(world)),
    ...(await world.operator.imbalances()).map(({ account, month }) => `verify: ${account} ${month}`),
  ]
}

/** Checks the units that a call is billed, and its event. */
function billing(call: SimulatedCall, events: readonly Event[]): readonly string[] {
  const broken: string[] = []
  const charges = events.filter((event) => event.charge_id !== null)
  if (call.plan.caller.kind === 'client') return events.length > 0 ? ['a call without a key has events'] : []
  if (charges.length > 1) broken.push(`it was charged ${charges.length} times`)
  const billed = charges.reduce((sum, { units }) => sum + units, 0)
  if (billed !== 0 && billed !== call.plan.units) broken.push(`it is billed ${billed} of ${call.plan.units}`)
  const isAnswered = call.reply?.kind === 'result'
  if (isAnswered && billed !== call.plan.units) broken.push(`it was answered and is billed ${billed}`)
  const isFree = call.reply?.kind === 'refusal' && call.reply.status < 500
  if (isFree && billed !== 0) broken.push(`it was refused and is billed ${billed}`)
  if (call.isCutOff) return broken
  if (call.reply === undefined) return [...broken, 'it never ended']
  if (!isAnswered && !isBilledWithoutAnswer(call) && billed !== 0) broken.push(`it is billed ${billed}`)
  if (isBilledWithoutAnswer(call) && billed !== call.plan.units)
    broken.push(`it left after admission, billed ${billed}`)
  const status = call.reply.kind === 'result' ? 200 : call.reply.kind === 'refusal' ? call.reply.status : 499
  if (call.hasRun && charges.length === 0) broken.push('it was admitted and has no event')
  for (const charge of charges) {
    if (charge.status === null) broken.push('its event is open')
    else if (charge.status !== status) broken.push(`its event says ${charge.status}`)
  }
  return broken
}

/** Whether the caller left after admission, so that its units stay billed. */
function isBilledWithoutAnswer(call: SimulatedCall): boolean {
  return call.reply?.kind === 'none' && call.hasRun
}

/** Checks the reply to a call, and when it came. */
function replies(call: SimulatedCall, { keys, highest, allowances, scenario }: World): readonly string[] {
  const { plan, reply } = call
  const broken: string[] = []
  const key = plan.caller.kind === 'key' ? keys[plan.caller.key] : undefined
  if (call.repliedAt !== undefined && scenario.incidents.every(({ kind }) => kind !== 'process frozen')) {
    if (call.admissionMs > MAX_ADMISSION_MS) broken.push(`its admission took ${call.admissionMs} ms`)
    const waited = call.repliedAt - call.arrivedAt - plan.uploadMs - plan.parseMs - plan.runMs
    if (waited > MAX_WAIT_MS) broken.push(`it waited ${waited} ms`)
  }
  if (key?.revokedAt !== undefined && call.arrivedAt > key.revokedAt && reply?.kind === 'result') {
    broken.push('its key was revoked')
  }
  if (reply?.kind === 'refusal' && reply.status === 429 && reply.body.used !== undefined && key !== undefined) {
    const { accountId } = key.key
    const { used, limit = 0 } = reply.body
    if (used + plan.units <= limit) broken.push(`it was refused at ${used} of ${limit}, for ${plan.units}`)
    if (used > (highest.get(accountId) ?? 0)) broken.push(`it was told ${used}, more than ever was used`)
    if (limit > (allowances.get(accountId) ?? 0)) broken.push(`it was told of an allowance of ${limit}`)
  }
  return broken
}

/** Checks that every refusal is recorded once, as an event or in a sum. */
function refusals({ calls, keys }: World, keyId: string, recorded: number): readonly string[] {
  const ofKey = calls.filter(({ plan }) => plan.caller.kind === 'key' && keys[plan.caller.key]?.key.id === keyId)
  const refused = ofKey.filter(({ reply, hasRun }) => !hasRun && reply !== undefined)
  const certain = refused.filter(
    ({ isCutOff, reply }) =>
      !isCutOff && !(reply?.kind === 'refusal' && reply.status === 401) && reply?.kind !== 'none',
  )
  const broken: string[] = []
  if (recorded < certain.length) broken.push(`key ${keyId} has ${recorded} records of ${certain.length} refusals`)
  if (recorded > refused.length) broken.push(`key ${keyId} has ${recorded} records of ${refused.length} refusals`)
  return broken
}

/** Checks that no process admits more calls of a key than its windows allow, or refuses calls that they allow. */
function bursts({ everyProcess, keys, scenario }: World, events: readonly Event[]): readonly string[] {
  if (scenario.incidents.some(({ kind }) => kind === 'clock set' || kind === 'plan raised')) return []
  const charged = new Set(events.filter(({ charge_id }) => charge_id !== null).map(({ rows }) => rows))
  return everyProcess.flatMap(({ name, calls }) =>
    keys.flatMap(({ key, account }, index) => {
      const plan = scenario.accounts[account]?.plan ?? 'free'
      const burst = PLANS[plan].burst
      const ofKey = calls.filter(({ plan: { caller } }) => caller.kind === 'key' && caller.key === index)
      const taken = ofKey.filter(({ plan: { number } }) => charged.has(number)).length
      const refused = ofKey.some(({ reply }) => reply?.kind === 'refusal' && reply.body.windowSeconds !== undefined)
      if (burst === null) return []
      const broken: string[] = []
      const windows = Math.floor((scenario.quietAt + MAX_WAIT_MS) / (burst.windowSeconds * 1_000)) + 1
      if (taken > burst.requests * windows) broken.push(`${name} let ${taken} calls of ${key.id} through`)
      if (refused && taken < burst.requests) broken.push(`${name} refused ${key.id} after ${taken} calls`)
      return broken
    }),
  )
}

/** Checks that the usage of addresses is the cost of their calls that were answered or left after admission. */
async function keylessDays({ calls, database, hasPruned }: World): Promise<readonly string[]> {
  const rows = await database.kysely.selectFrom('keyless_days').select('used').execute()
  const used = rows.reduce((sum, row) => sum + row.used, 0)
  const broken = rows.flatMap((row) =>
    row.used < 0 || row.used > PLANS.keyless.allowance.units ? [`a day of ${row.used}`] : [],
  )
  const ofClients = calls.filter(({ plan }) => plan.caller.kind === 'client')
  const sum = (some: readonly SimulatedCall[]): number => some.reduce((total, { plan }) => total + plan.units, 0)
  const due = sum(
    ofClients.filter((call) => call.reply?.kind === 'result' || (!call.isCutOff && isBilledWithoutAnswer(call))),
  )
  const uncertain = sum(ofClients.filter((call) => call.isCutOff && call.reply?.kind !== 'result'))
  if (used > due + uncertain) broken.push(`addresses have used ${used}, their calls cost ${due} to ${due + uncertain}`)
  if (used < due && !hasPruned) broken.push(`addresses have used ${used}, their calls cost ${due}`)
  return broken
}
