import { createHmac } from 'node:crypto'
import { type Refusal, refuse } from '@keepfirst/protocol'
import { verifyToken } from '../../accounts/keys.ts'
import type { Call } from '../call.ts'
import { type Caller, keyed, keyless } from '../caller.ts'
import type { Context } from '../context.ts'

interface Sources extends Pick<Context, 'addressSecret' | 'log'> {
  readonly store: Pick<Context['store'], 'findHolder'>
}

/**
 * Who is calling (specification 5): the holder of the presented key, or else the network address. An unknown key costs
 * the same work as a known one, and a key that cannot be checked is refused.
 */
export async function authenticate(call: Call, context: Sources): Promise<Caller | Refusal> {
  const token = presentedToken(call)
  if (token === undefined) return keyless(addressHashOf(call.network, context.addressSecret))
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
 * The presented token, `''` if a header is empty or lacks its token, undefined without either header. A Bearer token in
 * `Authorization` takes precedence; if that header is absent, empty or of another scheme, `x-api-key` is used.
 */
function presentedToken(call: Call): string | undefined {
  const bearer = /^bearer(?:[ \t]+(.*))?$/is.exec(call.authorization ?? '')
  return bearer ? (bearer[1] ?? '').trim() : call.apiKey
}

/** The keyed hash of a network address, so that the store contains no addresses. */
function addressHashOf(network: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(network).digest('hex')
}
