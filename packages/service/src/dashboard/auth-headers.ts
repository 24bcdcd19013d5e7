import type { FastifyReply, FastifyRequest } from 'fastify'

/* The headers that pass between the browser and better-auth. */

/** The headers that better-auth needs; in particular none that contains a network address. */
export function forwarded({ headers }: FastifyRequest): Headers {
  const passed = new Headers({ 'content-type': 'application/json' })
  if (headers.cookie !== undefined) passed.set('cookie', headers.cookie)
  if (headers.origin !== undefined) passed.set('origin', headers.origin)
  return passed
}

/** Passes the cookies that better-auth sets on to the browser. */
export function passCookies(from: Response, to: FastifyReply): void {
  for (const cookie of from.headers.getSetCookie()) to.header('set-cookie', cookie)
}

/** Copies headers, replacing their cookies with those that an answer sets. */
export function withCookiesOf(answer: Response, headers: Headers): Headers {
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const next = new Headers(headers)
  next.set('cookie', cookies.join('; '))
  return next
}
