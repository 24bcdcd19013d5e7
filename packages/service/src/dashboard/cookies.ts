/** Copies headers, replacing their cookies with those that an answer sets. */
export function withCookiesOf(answer: Response, headers: Headers): Headers {
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const next = new Headers(headers)
  next.set('cookie', cookies.join('; '))
  return next
}
