import type {
  CallsAnswer,
  ClaimAnswer,
  KeyMadeAnswer,
  KeysAnswer,
  KeyView,
  ProblemAnswer,
  SessionAnswer,
  UsageAnswer,
} from '@keepfirst/protocol'

/** A problem that the server reported, or a more specific one of the page's own. */
type Cause = ProblemAnswer | 'unreachable' | 'wrong password'

/** The server refused or could not be reached; `messages.ts` turns this into a sentence. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly problem: Cause

  constructor(problem: Cause) {
    super(typeof problem === 'string' ? problem : problem.error)
    this.problem = problem
  }

  is(error: ProblemAnswer['error']): boolean {
    return typeof this.problem !== 'string' && this.problem.error === error
  }
}

/**
 * The page's requests to its server.
 * @throws RequestError when the server refuses or cannot be reached
 */
export const server = {
  session: (): Promise<SessionAnswer> => get('/app/session'),
  signUp: (email: string, password: string): Promise<unknown> => post('/app/auth/sign-up/email', { email, password }),
  signIn: (email: string, password: string): Promise<unknown> => post('/app/auth/sign-in/email', { email, password }),
  signOut: (): Promise<unknown> => post('/app/auth/sign-out', {}),
  signOutEverywhere: (): Promise<unknown> => post('/app/auth/sign-out-everywhere', {}),
  changePassword: (currentPassword: string, newPassword: string): Promise<unknown> =>
    post('/app/account/password', { currentPassword, newPassword }),
  deleteAccount: (password: string): Promise<unknown> => post('/app/account/delete', { password }),
  claim: (token: string, password: string): Promise<ClaimAnswer> => post('/app/auth/claim', { token, password }),
  keys: (): Promise<KeysAnswer> => get('/app/account/keys'),
  makeKey: (name: string): Promise<KeyMadeAnswer> => post('/app/account/keys', { name }),
  revokeKey: (id: string): Promise<KeyView> => post(`/app/account/keys/${encodeURIComponent(id)}/revoke`, {}),
  /** Of the month that it is for the server; the user's clock may be wrong. */
  usageNow: (): Promise<UsageAnswer> => get('/app/account/usage'),
  usage: (month: string): Promise<UsageAnswer> => get(`/app/account/usage?month=${month}`),
  calls: (query: CallsQuery): Promise<CallsAnswer> => get(`/app/account/calls?${parameters(query)}`),
}

/**
 * The result of what a signed-in user does; undefined if the session has ended in the meantime.
 * @param onSessionEnded called in that case
 */
export async function unlessSignedOut<Result>(
  work: Promise<Result>,
  onSessionEnded: () => void,
): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof RequestError && error.is('signed out'))) throw error
    onSessionEnded()
    return undefined
  }
}

/** The URL of a file with everything that is stored about the account. */
export const EXPORT_URL = '/app/account/export'

/** Which calls: those of a month, optionally of one key or with one kind of outcome. */
export interface CallsQuery {
  readonly month: string
  readonly key: string
  readonly status: string
}

/** The URL of a CSV file with all matching calls. */
export function callsFileUrl(query: CallsQuery): string {
  return `/app/account/calls.csv?${parameters(query)}`
}

function parameters({ month, key, status }: CallsQuery): string {
  return new URLSearchParams({ month, ...(key && { key }), ...(status && { status }) }).toString()
}

function get<Answer>(path: string): Promise<Answer> {
  return request(path, { headers: { accept: 'application/json' } })
}

function post<Answer>(path: string, body: object): Promise<Answer> {
  return request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

async function request<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(path, init).catch(() => undefined)
  const answer = await response?.json().catch(() => undefined)
  if (response === undefined || answer === undefined) throw new RequestError('unreachable')
  if (!response.ok) throw new RequestError(answer)
  return answer
}
