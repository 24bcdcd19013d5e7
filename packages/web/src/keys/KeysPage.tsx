import type { KeyMadeAnswer, SessionAnswer } from '@keepfirst/protocol'
import { type ReactElement, useCallback, useEffect, useRef, useState } from 'preact/compat'
import { Button, Notice } from '../design/index.ts'
import { RequestError, server } from './api.ts'
import { Claim } from './Claim.tsx'
import { errorMessage } from './messages.ts'
import { SignIn } from './SignIn.tsx'

/** Why the user is signed out. */
export type SignedOutReason = 'initial' | 'signed out' | 'expired' | 'deleted'

/** What the URL asks for: the operator's one-time link, a new key, or nothing. */
type Intent = { readonly kind: 'claim'; readonly token: string } | { readonly kind: 'new' } | undefined

/** Loaded only for users who are signed in. */
const loadDashboard = () => import('./Dashboard.tsx').then((module) => module.Dashboard)

/** What the page knows about its user. */
interface Visit {
  readonly session: SessionAnswer
  /** Why the user is signed out, if so. */
  readonly reason: SignedOutReason
  /** The key that was created with the account. */
  readonly firstKey: KeyMadeAnswer | undefined
  /** Absent until the user is signed in. */
  readonly Dashboard: Awaited<ReturnType<typeof loadDashboard>> | undefined
}

/** Everything at `/app/keys`: the dashboard, the sign-in form, and the form for one-time links. */
export function KeysPage(): ReactElement {
  const [visit, setVisit] = useState<Visit>()
  const [error, setError] = useState<unknown>()
  const [intent, setIntent] = useState<Intent>()
  const loads = useRef(0)

  const load = useCallback(async () => {
    const current = ++loads.current
    try {
      const session = await server.session()
      const Dashboard = session.account === null ? undefined : await loadDashboard()
      if (current !== loads.current) return
      setVisit((before) => {
        if (!hasLeft(before, session)) return { reason: 'initial', firstKey: undefined, ...before, session, Dashboard }
        return { reason: 'expired', firstKey: undefined, session, Dashboard }
      })
      setError(undefined)
    } catch (caught) {
      if (current === loads.current) setError(caught)
    }
  }, [])

  useEffect(() => {
    const takeIntent = () => setIntent((before) => takeIntentFromUrl() ?? before)
    takeIntent()
    addEventListener('hashchange', takeIntent)
    void load()
    return () => removeEventListener('hashchange', takeIntent)
  }, [load])

  const signedOut = useCallback((how: SignedOutReason) => {
    loads.current += 1 // whatever is still loading is about a session that has ended
    setError(undefined)
    setVisit((before) => before && leftBy(before, how))
  }, [])
  const sessionEnded = useCallback(() => signedOut('expired'), [signedOut])

  async function entered(made?: KeyMadeAnswer): Promise<void> {
    // Whoever was signed in when a one-time link was opened no longer is.
    setVisit((before) => before && { ...leftBy(before, 'initial'), firstKey: made })
    setIntent(undefined)
    await load()
  }

  const account = visit?.session.account ?? null
  if (visit?.Dashboard && account !== null && intent?.kind !== 'claim')
    return (
      <visit.Dashboard
        key={`${account.email} ${intent?.kind}`}
        account={account}
        session={visit.session}
        refreshError={error}
        firstKey={visit.firstKey}
        wantsKey={intent?.kind === 'new'}
        onRefresh={load}
        onSessionEnded={sessionEnded}
        onSignedOut={() => signedOut('signed out')}
        onDeleted={() => signedOut('deleted')}
      />
    )
  if (error !== undefined)
    return (
      <div className="sign-in stack">
        <Notice tone="bad" title="This page could not be loaded" live>
          {errorMessage(error)}
        </Notice>
        {/* If a part of the page is missing, a newer release of the server may have replaced it. */}
        <Button onClick={error instanceof RequestError ? load : () => location.reload()}>Try again</Button>
      </div>
    )
  if (visit === undefined) return <Loading />
  if (intent?.kind === 'claim')
    return <Claim token={intent.token} onDone={entered} onLeave={() => setIntent(undefined)} />
  return (
    <SignIn
      key={intent?.kind} // a new request for a key starts over
      session={visit.session}
      reason={visit.reason}
      wantsKey={intent?.kind === 'new'}
      onDone={entered}
    />
  )
}

/** Whether the user of an earlier session is no longer signed in: nobody is, or somebody else. */
function hasLeft(before: Visit | undefined, { account }: SessionAnswer): boolean {
  const earlier = before?.session.account ?? null
  return earlier !== null && earlier.email !== account?.email
}

function leftBy(before: Visit, reason: SignedOutReason): Visit {
  return { ...before, session: { ...before.session, account: null }, reason, firstKey: undefined }
}

/** Removes the intent from the URL at once, so that a secret is neither visible nor kept in the history. */
function takeIntentFromUrl(): Intent {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const token = fragment.get('claim')
  if (token === null && !fragment.has('new')) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return token === null ? { kind: 'new' } : { kind: 'claim', token }
}

/** Shown until the page's script has run. */
function Loading(): ReactElement {
  return (
    <div className="sign-in">
      <p className="visually-hidden" role="status">
        Loading
      </p>
      <div className="sign-in-waiting" aria-hidden="true" />
      <noscript>
        <p className="notice">This page needs JavaScript. Keys can also be created on the command line.</p>
      </noscript>
    </div>
  )
}
