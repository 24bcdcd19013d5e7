import type { AccountView, KeyMadeAnswer, SessionAnswer } from '@keepfirst/protocol'
import { type ReactElement, useCallback, useEffect, useState } from 'preact/compat'
import { Button } from '../design/index.ts'
import { AccountPanel } from './AccountPanel.tsx'
import { server } from './api.ts'
import { CallsPanel } from './CallsPanel.tsx'
import { KeysPanel } from './KeysPanel.tsx'
import { isMonth, monthOf } from './months.ts'
import { PlanPanel } from './PlanPanel.tsx'
import { PlansPanel } from './PlansPanel.tsx'
import { UsagePanel } from './UsagePanel.tsx'
import { useAddress } from './useAddress.ts'
import { useServer } from './useServer.ts'

interface DashboardProps {
  readonly account: AccountView
  readonly session: SessionAnswer
  /** The key that was created with the account. */
  readonly firstKey: KeyMadeAnswer | undefined
  /** Whether to start by asking for a key's name. */
  readonly wantsKey: boolean
  /** The session has expired or was revoked. */
  readonly onSignedOut: () => void
  /** The user has signed out. */
  readonly onLeft: () => void
  readonly onDeleted: () => void
}

/** The keys, usage and plan of one account, and its settings. */
export function Dashboard(props: DashboardProps): ReactElement {
  const { account, session, firstKey, wantsKey, onSignedOut, onLeft, onDeleted } = props
  const thisMonth = monthOf(Date.now())
  const [named, setMonth] = useAddress('month', isMonth)
  const month = named === '' || named > thisMonth ? thisMonth : named
  const [turn, setTurn] = useState(0)
  const refresh = useCallback(() => setTurn((before) => before + 1), [])
  const keys = useServer(server.keys, turn, onSignedOut)
  const now = useServer(
    useCallback(() => server.usage(thisMonth), [thisMonth]),
    turn,
    onSignedOut,
  )

  // Refreshed when the user comes back, for example from a terminal, to show the effect of their calls.
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
        <KeysPanel
          account={account}
          session={session}
          keys={keys}
          firstKey={firstKey}
          wantsKey={wantsKey}
          onChanged={refresh}
          onSignedOut={onSignedOut}
        />
        <PlanPanel account={account} usage={now} />
        <UsagePanel
          month={month}
          thisMonth={thisMonth}
          turn={turn}
          onMonth={(chosen) => setMonth(chosen === thisMonth ? '' : chosen)}
          onSignedOut={onSignedOut}
        />
        <CallsPanel month={month} keys={keys.answer?.keys ?? []} turn={turn} onSignedOut={onSignedOut} />
        <PlansPanel account={account} contact={session.contact} usage={now.answer} />
        <AccountPanel account={account} onSignedOut={onSignedOut} onLeft={onLeft} onDeleted={onDeleted} />
      </div>
    </>
  )
}
