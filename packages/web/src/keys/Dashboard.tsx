import type { AccountView, SessionAnswer } from '@keepfirst/protocol'
import { type ReactElement, useCallback, useEffect, useState } from 'preact/compat'
import { Button } from '../design/index.ts'
import { server } from './api.ts'
import { CallsPanel } from './CallsPanel.tsx'
import { KeysPanel } from './KeysPanel.tsx'
import { monthOf } from './months.ts'
import { PlanPanel } from './PlanPanel.tsx'
import { UsagePanel } from './UsagePanel.tsx'
import { useServer } from './useServer.ts'

interface DashboardProps {
  readonly account: AccountView
  readonly session: SessionAnswer
  /** The session has ended by itself. */
  readonly onSignedOut: () => void
  /** The person has signed out. */
  readonly onLeft: () => void
}

/** Keys, plan and usage of one account. */
export function Dashboard({ account, session, onSignedOut, onLeft }: DashboardProps): ReactElement {
  const thisMonth = monthOf(Date.now())
  const [month, setMonth] = useState(thisMonth)
  const [turn, setTurn] = useState(0)
  const refresh = useCallback(() => setTurn((before) => before + 1), [])
  const keys = useServer(server.keys, turn, onSignedOut)
  const now = useServer(
    useCallback(() => server.usage(thisMonth), [thisMonth]),
    turn,
    onSignedOut,
  )

  // Whoever comes back from a terminal wants to see what their calls did.
  useEffect(() => {
    const onVisible = () => document.visibilityState === 'visible' && refresh()
    document.addEventListener('visibilitychange', onVisible)
    return () => document.removeEventListener('visibilitychange', onVisible)
  }, [refresh])

  async function signOut(): Promise<void> {
    await server.signOut().catch(() => undefined)
    onLeft()
  }

  return (
    <>
      <header className="keys-head">
        <h1>Keys and usage</h1>
        <p className="row">
          <span className="muted keys-email">{account.email}</span>
          <Button small onClick={refresh}>
            Refresh
          </Button>
          <Button small onClick={signOut}>
            Sign out
          </Button>
        </p>
      </header>
      <div className="keys-grid">
        <KeysPanel account={account} session={session} keys={keys} onChanged={refresh} onSignedOut={onSignedOut} />
        <PlanPanel account={account} contact={session.contact} usage={now} />
        <UsagePanel month={month} thisMonth={thisMonth} turn={turn} onMonth={setMonth} onSignedOut={onSignedOut} />
        <CallsPanel month={month} turn={turn} onSignedOut={onSignedOut} />
      </div>
    </>
  )
}
