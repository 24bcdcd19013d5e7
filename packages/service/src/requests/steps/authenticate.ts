import { createHmac } from 'node:crypto'
import { type Refusal, refuse } from '@keepfirst/protocol'
import { verifyToken } from '../../accounts/keys.ts'
import type { Call } from '../call.ts'
import { type Caller, keyed, keyless } from '../caller.ts'
import type { Context } from '../context.ts'

/**
 * Step 1, who calls (specification 5): the holder of the key that came along, else the network address.
 * An unknown key costs the same work as a known one, and a key that can't be checked is refused.
 */
export async function authenticate(call: Call, context: Context): Promise<Caller | Refusal> {
  const token = presentedToken(call)
  if (token === undefined) return keyless(clientOf(call.network, context.addressSecret))
  try {
    const holder = await verifyToken(context.store, token)
    return holder === undefined ? refuse.invalidKey() : keyed(holder)
  } catch (error) {
    context.log.error(
      { err: error, requestId: call.requestId },
      'a key could not be checked: the store does not answer',
    )
    return refuse.invalidKey()
  }
}

/**
 * The token that counts, `''` for a header that should hold one and does not, undefined without any.
 * `Authorization` comes first and must be a Bearer; absent, empty or of another scheme, `x-api-key` counts.
 */
function presentedToken(call: Call): string | undefined {
  const bearer = /^bearer(?:[ \t]+(.*))?$/is.exec(call.authorization ?? '')
  return bearer ? (bearer[1] ?? '').trim() : call.apiKey
}

/** What stands for a network address in the store: its keyed hash, so that no address is kept. */
function clientOf(network: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(network).digest('hex')
}
