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
import { useSearchParam } from './useSearchParam.ts'
import { useServer } from './useServer.ts'

interface DashboardProps {
  readonly account: AccountView
  readonly session: SessionAnswer
  /** The key that was created with the account. */
  readonly firstKey: KeyMadeAnswer | undefined
  /** Whether to start by asking for a key's name. */
  readonly wantsKey: boolean
  /** The session has expired or was revoked. */
  readonly onSessionEnded: () => void
  /** The user has signed out. */
  readonly onSignedOut: () => void
  readonly onDeleted: () => void
}

/** The keys, usage and plan of one account, and its settings. */
export function Dashboard(props: DashboardProps): ReactElement {
  const { account, session, firstKey, wantsKey, onSessionEnded, onSignedOut, onDeleted } = props
  const thisMonth = monthOf(Date.now())
  const [monthInUrl, setMonth] = useSearchParam('month', isMonth)
  const month = monthInUrl === '' || monthInUrl > thisMonth ? thisMonth : monthInUrl
  const [refreshCount, setRefreshCount] = useState(0)
  const refresh = useCallback(() => setRefreshCount((before) => before + 1), [])
  const keys = useServer(server.keys, refreshCount, onSessionEnded)
  const now = useServer(
    useCallback(() => server.usage(thisMonth), [thisMonth]),
    refreshCount,
    onSessionEnded,
  )

  // Refreshed when the user comes back, for example from a terminal, to show the effect of their calls.
  useEffect(() => {
    const onVisible = () => document.visibilityState === 'visible' && refresh()
    document.addEventListener('visibilitychange', onVisible)
    return () => document.removeEventListener('visibilitychange', onVisible)
  }, [refresh])

  async function signOut(): Promise<void> {
    await server.signOut().catch(() => undefined)
    onSignedOut()
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
        <PlanPanel account={account} usage={now} />
        <div className="keys-lists">
          <KeysPanel
            account={account}
            session={session}
            keys={keys}
            firstKey={firstKey}
            wantsKey={wantsKey}
            onChanged={refresh}
            onSessionEnded={onSessionEnded}
          />
          <UsagePanel
            month={month}
            thisMonth={thisMonth}
            refreshCount={refreshCount}
            onMonth={(chosen) => setMonth(chosen === thisMonth ? '' : chosen)}
            onSessionEnded={onSessionEnded}
          />
          <CallsPanel
            month={month}
            keys={keys.answer?.keys ?? []}
            refreshCount={refreshCount}
            onSessionEnded={onSessionEnded}
          />
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
