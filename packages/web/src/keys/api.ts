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

/** The server said no, or could not be reached; `words.ts` turns it into a sentence. */
export class Trouble extends Error {
  override readonly name = 'Trouble'
  readonly problem: ProblemAnswer | 'unreachable'

  constructor(problem: ProblemAnswer | 'unreachable') {
    super(problem === 'unreachable' ? problem : problem.error)
    this.problem = problem
  }

  is(error: ProblemAnswer['error']): boolean {
    return this.problem !== 'unreachable' && this.problem.error === error
  }
}

/** What the page asks of its server. Each rejects with `Trouble`. */
export const server = {
  session: (): Promise<SessionAnswer> => get('/app/session'),
  signUp: (email: string, password: string): Promise<unknown> => post('/app/auth/sign-up/email', { email, password }),
  signIn: (email: string, password: string): Promise<unknown> => post('/app/auth/sign-in/email', { email, password }),
  signOut: (): Promise<unknown> => post('/app/auth/sign-out', {}),
  claim: (token: string, password: string): Promise<ClaimAnswer> => post('/app/auth/claim', { token, password }),
  keys: (): Promise<KeysAnswer> => get('/app/account/keys'),
  makeKey: (name: string): Promise<KeyMadeAnswer> => post('/app/account/keys', { name }),
  revokeKey: (id: string): Promise<KeyView> => post(`/app/account/keys/${encodeURIComponent(id)}/revoke`, {}),
  usage: (month: string): Promise<UsageAnswer> => get(`/app/account/usage?month=${month}`),
  calls: (month: string): Promise<CallsAnswer> => get(`/app/account/calls?month=${month}`),
}

export function callsFileAddress(month: string): string {
  return `/app/account/calls.csv?month=${month}`
}

function get<Answer>(path: string): Promise<Answer> {
  return ask(path, { headers: { accept: 'application/json' } })
}

function post<Answer>(path: string, body: object): Promise<Answer> {
  return ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

async function ask<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(path, init).catch(() => undefined)
  const answer = await response?.json().catch(() => undefined)
  if (response === undefined || answer === undefined) throw new Trouble('unreachable')
  if (!response.ok) throw new Trouble(answer)
  return answer
}
