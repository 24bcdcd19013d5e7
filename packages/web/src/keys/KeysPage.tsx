import type { KeyMadeAnswer, SessionAnswer } from '@keepfirst/protocol'
import { lazy, type ReactElement, Suspense, useCallback, useEffect, useState } from 'preact/compat'
import { Button, Notice } from '../design/index.ts'
import { server } from './api.ts'
import { Claim } from './Claim.tsx'
import { SignIn } from './SignIn.tsx'
import { troubleInWords } from './words.ts'

/** Loaded for those who are signed in alone. */
const Dashboard = lazy(() => import('./Dashboard.tsx').then((module) => module.Dashboard))

/** How somebody came to be signed out. */
export type SignedOutReason = 'never in' | 'left' | 'ended' | 'deleted'

/** What the address asks for: the operator's one-time link, a new key, or nothing. */
type Errand = { readonly kind: 'claim'; readonly token: string } | { readonly kind: 'new' } | undefined

/** Everything at `/app/keys`: for those who are signed in, those who are not, and those with a one-time link. */
export function KeysPage(): ReactElement {
  const [session, setSession] = useState<SessionAnswer>()
  const [error, setError] = useState<unknown>()
  const [errand, setErrand] = useState<Errand>()
  const [reason, setReason] = useState<SignedOutReason>('never in')
  const [firstKey, setFirstKey] = useState<KeyMadeAnswer>()

  const load = useCallback(async () => {
    setError(undefined)
    try {
      setSession(await server.session())
    } catch (trouble) {
      setError(trouble)
    }
  }, [])

  useEffect(() => {
    const takeErrand = () => setErrand((before) => takeErrandFromAddress() ?? before)
    takeErrand()
    addEventListener('hashchange', takeErrand)
    void load()
    return () => removeEventListener('hashchange', takeErrand)
  }, [load])

  const signedOut = useCallback((how: SignedOutReason) => {
    setReason(how)
    setFirstKey(undefined)
    setSession((before) => before && { ...before, account: null })
  }, [])
  const sessionEnded = useCallback(() => signedOut('ended'), [signedOut])

  async function entered(made?: KeyMadeAnswer): Promise<void> {
    setFirstKey(made)
    setErrand(undefined)
    await load()
  }

  if (error !== undefined)
    return (
      <div className="gate stack">
        <Notice tone="bad" title="This page could not be loaded" live>
          {troubleInWords(error)}
        </Notice>
        <Button onClick={load}>Try again</Button>
      </div>
    )
  if (session === undefined) return <Waiting />
  if (errand?.kind === 'claim')
    return <Claim token={errand.token} onDone={entered} onLeave={() => setErrand(undefined)} />
  if (session.account === null)
    return (
      <SignIn
        key={errand?.kind} // who asks for a key while it is open gets it anew
        session={session}
        reason={reason}
        wantsKey={errand?.kind === 'new'}
        onDone={entered}
      />
    )
  return (
    <Suspense fallback={<Waiting />}>
      <Dashboard
        key={errand?.kind}
        account={session.account}
        session={session}
        firstKey={firstKey}
        wantsKey={errand?.kind === 'new'}
        onSignedOut={sessionEnded}
        onLeft={() => signedOut('left')}
        onDeleted={() => signedOut('deleted')}
      />
    </Suspense>
  )
}

/** Takes the errand out of the address at once, so that a secret stays neither in sight nor in the history. */
function takeErrandFromAddress(): Errand {
  const asked = new URLSearchParams(location.hash.slice(1))
  const token = asked.get('claim')
  if (token === null && !asked.has('new')) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return token === null ? { kind: 'new' } : { kind: 'claim', token }
}

/** Stands in the page before its script has run. */
function Waiting(): ReactElement {
  return (
    <div className="gate">
      <p className="visually-hidden" role="status">
        Loading
      </p>
      <div className="gate-waiting" aria-hidden="true" />
      <noscript>
        <p className="notice">This page needs JavaScript. Keys can be made on the command line as well.</p>
      </noscript>
    </div>
  )
}
