import type { KeyMadeAnswer, SessionAnswer } from '@keepfirst/protocol'
import { lazy, type ReactElement, Suspense, useCallback, useEffect, useState } from 'preact/compat'
import { Button, Notice } from '../design/index.ts'
import { server } from './api.ts'
import { Claim } from './Claim.tsx'
import { errorMessage } from './messages.ts'
import { SignIn } from './SignIn.tsx'

/** Loaded only for users who are signed in. */
const Dashboard = lazy(() => import('./Dashboard.tsx').then((module) => module.Dashboard))

/** Why the user is signed out. */
export type SignedOutReason = 'initial' | 'signed out' | 'expired' | 'deleted'

/** What the URL asks for: the operator's one-time link, a new key, or nothing. */
type Intent = { readonly kind: 'claim'; readonly token: string } | { readonly kind: 'new' } | undefined

/** Everything at `/app/keys`: the dashboard, the sign-in form, and the form for one-time links. */
export function KeysPage(): ReactElement {
  const [session, setSession] = useState<SessionAnswer>()
  const [error, setError] = useState<unknown>()
  const [intent, setIntent] = useState<Intent>()
  const [reason, setReason] = useState<SignedOutReason>('initial')
  const [firstKey, setFirstKey] = useState<KeyMadeAnswer>()

  const load = useCallback(async () => {
    setError(undefined)
    try {
      setSession(await server.session())
    } catch (caught) {
      setError(caught)
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
    setReason(how)
    setFirstKey(undefined)
    setSession((before) => before && { ...before, account: null })
  }, [])
  const sessionEnded = useCallback(() => signedOut('expired'), [signedOut])

  async function entered(made?: KeyMadeAnswer): Promise<void> {
    setFirstKey(made)
    setIntent(undefined)
    await load()
  }

  if (error !== undefined)
    return (
      <div className="sign-in stack">
        <Notice tone="bad" title="This page could not be loaded" live>
          {errorMessage(error)}
        </Notice>
        <Button onClick={load}>Try again</Button>
      </div>
    )
  if (session === undefined) return <Loading />
  if (intent?.kind === 'claim')
    return <Claim token={intent.token} onDone={entered} onLeave={() => setIntent(undefined)} />
  if (session.account === null)
    return (
      <SignIn
        key={intent?.kind} // a new request for a key starts over
        session={session}
        reason={reason}
        wantsKey={intent?.kind === 'new'}
        onDone={entered}
      />
    )
  return (
    <Suspense fallback={<Loading />}>
      <Dashboard
        key={intent?.kind}
        account={session.account}
        session={session}
        firstKey={firstKey}
        wantsKey={intent?.kind === 'new'}
        onSessionEnded={sessionEnded}
        onSignedOut={() => signedOut('signed out')}
        onDeleted={() => signedOut('deleted')}
      />
    </Suspense>
  )
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
