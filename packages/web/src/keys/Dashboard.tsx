import type { AccountView, SessionAnswer } from '@keepfirst/protocol'
import { type ReactElement, useCallback, useState } from 'react'
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
  const keys = useServer(server.keys, onSignedOut)
  const now = useServer(
    useCallback(() => server.usage(thisMonth), [thisMonth]),
    onSignedOut,
  )

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
          <Button small onClick={signOut}>
            Sign out
          </Button>
        </p>
      </header>
      <div className="keys-grid">
        <KeysPanel account={account} session={session} keys={keys} onSignedOut={onSignedOut} />
        <PlanPanel account={account} contact={session.contact} usage={now} />
        <UsagePanel month={month} thisMonth={thisMonth} onMonth={setMonth} onSignedOut={onSignedOut} />
        <CallsPanel month={month} onSignedOut={onSignedOut} />
      </div>
    </>
  )
}
