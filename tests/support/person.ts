import type { Answer, RunningServer } from './server.ts'

/** A signed-in user with an account. */
export interface Person {
  readonly email: string
  readonly password: string
  /** The value of the browser's `Cookie` header. */
  readonly cookie: string
  /** The loopback address that the user signed in from. */
  readonly from: string
}

export interface Visit {
  readonly cookie?: string | undefined
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** The loopback address that the request comes from; attempts are counted by it. */
  readonly from?: string
}

export const PASSWORD = 'correct horse battery'

let addresses = 0

/** An email address and a loopback network for one test, so that tests do not use up each other's attempts. */
export function newIdentity(): { readonly email: string; readonly from: string } {
  addresses += 1
  return { email: `person${addresses}@example.com`, from: `127.0.${1 + (addresses >> 7)}.${1 + (addresses & 127)}` }
}

/** A request from the page `/app/keys`, with the headers that a browser adds. */
export function visit(server: RunningServer, path: string, visit: Visit = {}): Promise<Answer> {
  const { cookie, body, headers = {}, from } = visit
  return server.call({
    method: body === undefined ? 'GET' : 'POST',
    path,
    ...(body === undefined ? {} : { body }),
    ...(from === undefined ? {} : { from }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json', origin: server.baseUrl }),
      ...(cookie === undefined ? {} : { cookie }),
      ...headers,
    },
  })
}

/** Creates an account through the page. */
export function signUp(server: RunningServer, email: string, { password = PASSWORD, ...more }: SignIn = {}) {
  return visit(server, '/app/auth/sign-up/email', { body: { email, password }, ...more })
}

/** Signs in through the page; the answer sets the session cookie. */
export function signIn(server: RunningServer, email: string, { password = PASSWORD, ...more }: SignIn = {}) {
  return visit(server, '/app/auth/sign-in/email', { body: { email, password }, ...more })
}

interface SignIn extends Omit<Visit, 'body'> {
  readonly password?: string
}

/** The session cookie that an answer sets, as a browser would send it back. */
export function cookieOf(answer: Answer): string {
  const cookie = /(?:__Secure-)?keepfirst\.session_token=[^;]+/.exec(answer.headers['set-cookie'] ?? '')?.[0]
  if (cookie === undefined) throw new Error(`no session was set: ${answer.status} ${answer.text}`)
  return cookie
}

/** Signs up and signs in a new user. */
export async function newPerson(server: RunningServer): Promise<Person> {
  const { email, from } = newIdentity()
  await signUp(server, email, { from })
  return { email, from, password: PASSWORD, cookie: cookieOf(await signIn(server, email, { from })) }
}

/** The email address of a session's account; null if there is no such session. */
export async function sessionEmail(server: RunningServer, cookie: string): Promise<string | null> {
  const { json } = await visit(server, '/app/session', { cookie })
  const email = memberOf(memberOf(json, 'account'), 'email')
  return typeof email === 'string' ? email : null
}

/** A text member of an answer's body. */
export function textOf(json: unknown, name: string): string {
  const value = memberOf(json, name)
  if (typeof value !== 'string') throw new Error(`${name} is not text in ${JSON.stringify(json)}`)
  return value
}

/** A member of an answer's body; undefined if there is none. */
export function memberOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? Reflect.get(json, name) : undefined
}

/** The parts of an answer that reveal something to a caller: everything except time and framing. */
export function visibleParts({ status, text, headers }: Answer): object {
  return { status, text, cookie: headers['set-cookie'] }
}

const people = new Map<RunningServer, Promise<Person>>()

/** A signed-in user, one per server, for tests that do not change it. */
export function sharedPerson(server: RunningServer): Promise<Person> {
  const person = people.get(server) ?? newPerson(server)
  people.set(server, person)
  return person
}

/** The secret of a one-time link, as the operator's command prints it. */
export async function claimToken(server: RunningServer, email: string): Promise<string> {
  const link = await server.operator.link(email)
  const token = /#claim=(\S+)/.exec(link)?.[1]
  if (token === undefined) throw new Error(`no secret in: ${link}`)
  return token
}

/** Sets a password with the secret of a one-time link. */
export function claim(server: RunningServer, token: string, from: string, password: string = PASSWORD) {
  return visit(server, '/app/auth/claim', { body: { token, password }, from })
}
