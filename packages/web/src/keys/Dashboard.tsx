import type { AccountView, KeyMadeAnswer, SessionAnswer } from '@keepfirst/protocol'
import { type ReactElement, useEffect, useState } from 'preact/compat'
import { Button, Notice } from '../design/index.ts'
import { AccountPanel } from './AccountPanel.tsx'
import { server } from './api.ts'
import { CallsPanel } from './CallsPanel.tsx'
import { KeysPanel } from './KeysPanel.tsx'
import { errorMessage } from './messages.ts'
import { isMonth, monthOf } from './months.ts'
import { PlanPanel } from './PlanPanel.tsx'
import { PlansPanel } from './PlansPanel.tsx'
import { UsagePanel } from './UsagePanel.tsx'
import { useSearchParam } from './useSearchParam.ts'
import { useServer } from './useServer.ts'

interface DashboardProps {
  readonly account: AccountView
  /** With each newer session, everything else is requested again. */
  readonly session: SessionAnswer
  /** Why there is no newer session. */
  readonly refreshError: unknown
  /** The key that was created with the account. */
  readonly firstKey: KeyMadeAnswer | undefined
  /** Whether to start by asking for a key's name. */
  readonly wantsKey: boolean
  readonly onRefresh: () => void
  /** The session has expired or was revoked. */
  readonly onSessionEnded: () => void
  /** The user has signed out. */
  readonly onSignedOut: () => void
  readonly onDeleted: () => void
}

/** The keys, usage and plan of one account, and its settings. */
export function Dashboard(props: DashboardProps): ReactElement {
  const { account, session, refreshError, firstKey, wantsKey, onRefresh, onSessionEnded, onSignedOut, onDeleted } =
    props
  const [signOutError, setSignOutError] = useState<unknown>()
  const now = useServer(server.usageNow, session, onSessionEnded)
  const thisMonth = now.answer?.month ?? monthOf(Date.now())
  const [monthInUrl, setMonth] = useSearchParam('month', isMonth)
  const month = monthInUrl === '' || monthInUrl > thisMonth ? thisMonth : monthInUrl
  const keys = useServer(server.keys, session, onSessionEnded)

  // Refreshed when the user comes back, for example from a terminal, to show the effect of their calls.
  useEffect(() => {
    const onVisible = () => document.visibilityState === 'visible' && onRefresh()
    document.addEventListener('visibilitychange', onVisible)
    return () => document.removeEventListener('visibilitychange', onVisible)
  }, [onRefresh])

  async function signOut(): Promise<void> {
    setSignOutError(undefined)
    await server.signOut().then(onSignedOut, setSignOutError)
  }

  return (
    <>
      <header className="keys-head">
        <h1>Keys and usage</h1>
        <p className="row">
          <span className="muted keys-email">{account.email}</span>
          <Button small onClick={onRefresh}>
            Refresh
          </Button>
          <Button small onClick={signOut}>
            Sign out
          </Button>
        </p>
      </header>
      {refreshError !== undefined && <Problem title="What you see may be out of date" error={refreshError} />}
      {signOutError !== undefined && <Problem title="You are still signed in" error={signOutError} />}
      <div className="keys-grid">
        <PlanPanel account={account} usage={now} />
        <div className="keys-lists">
          <KeysPanel
            account={account}
            session={session}
            keys={keys}
            firstKey={firstKey}
            wantsKey={wantsKey}
            onChanged={onRefresh}
            onSessionEnded={onSessionEnded}
          />
          <UsagePanel
            session={session}
            month={month}
            thisMonth={thisMonth}
            onMonth={(chosen) => setMonth(chosen === thisMonth ? '' : chosen)}
            onSessionEnded={onSessionEnded}
          />
          <CallsPanel session={session} month={month} keys={keys.answer?.keys ?? []} onSessionEnded={onSessionEnded} />
          <PlansPanel account={account} contact={session.contact} usage={now.answer} />
        </div>
        <AccountPanel
          account={account}
          onSessionEnded={onSessionEnded}
          onSignedOut={onSignedOut}
          onDeleted={onDeleted}
        />
      </div>
    </>
  )
}

function Problem({ title, error }: { readonly title: string; readonly error: unknown }): ReactElement {
  return (
    <div className="keys-problem">
      <Notice tone="bad" title={title} live>
        {errorMessage(error)}
      </Notice>
    </div>
  )
}
