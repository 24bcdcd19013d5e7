import type { SessionAnswer } from '@keepfirst/protocol'
import { type ReactElement, useCallback, useEffect, useState } from 'preact/compat'
import { Button, Notice } from '../design/index.ts'
import { server } from './api.ts'
import { Claim } from './Claim.tsx'
import { Dashboard } from './Dashboard.tsx'
import { SignIn } from './SignIn.tsx'
import { troubleInWords } from './words.ts'

/** Everything at `/app/keys`: for those who are signed in, those who are not, and those with a one-time link. */
export function KeysPage(): ReactElement {
  const [session, setSession] = useState<SessionAnswer>()
  const [error, setError] = useState<unknown>()
  const [claim, setClaim] = useState<string>()
  const [ended, setEnded] = useState(false)

  const load = useCallback(async () => {
    setError(undefined)
    try {
      setSession(await server.session())
    } catch (trouble) {
      setError(trouble)
    }
  }, [])

  useEffect(() => {
    const takeLink = () => setClaim((before) => takeClaimFromAddress() ?? before)
    takeLink()
    addEventListener('hashchange', takeLink)
    void load()
    return () => removeEventListener('hashchange', takeLink)
  }, [load])

  const signedOut = useCallback(() => {
    setEnded(true)
    setSession((before) => before && { ...before, account: null })
  }, [])

  async function entered(): Promise<void> {
    setEnded(false)
    setClaim(undefined)
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
  if (claim !== undefined) return <Claim token={claim} onDone={entered} onLeave={() => setClaim(undefined)} />
  if (session.account === null) return <SignIn session={session} ended={ended} onDone={entered} />
  return (
    <Dashboard
      account={session.account}
      session={session}
      onSignedOut={signedOut}
      onLeft={() => setSession({ ...session, account: null })}
    />
  )
}

/** Takes the one-time secret out of the address at once, so that it stays neither in sight nor in the history. */
function takeClaimFromAddress(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('claim')
  if (token === null) return undefined
  history.replaceState(null, '', location.pathname)
  return token
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
