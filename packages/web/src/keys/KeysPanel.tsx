import {
  type AccountView,
  type KeyMadeAnswer,
  type KeysAnswer,
  type KeyView,
  largerPlans,
  PLANS,
  type SessionAnswer,
  withNoun,
} from '@keepfirst/protocol'
import { type ReactElement, type ReactNode, useState } from 'preact/compat'
import { Button, Contact, EmptyState, Notice, Table } from '../design/index.ts'
import { server, unlessSignedOut } from './api.ts'
import { ago, day } from './format.ts'
import { errorMessage } from './messages.ts'
import { KeyMade, NewKey } from './NewKey.tsx'
import { RevokeKey } from './RevokeKey.tsx'
import type { Loaded } from './useServer.ts'

interface KeysPanelProps {
  readonly account: AccountView
  readonly session: SessionAnswer
  readonly keys: Loaded<KeysAnswer>
  /** The key that was created with the account. */
  readonly firstKey: KeyMadeAnswer | undefined
  /** Whether to start by asking for a name. */
  readonly wantsKey: boolean
  readonly onChanged: () => void
  readonly onSessionEnded: () => void
}

/** The account's keys: creating, viewing and revoking them. */
export function KeysPanel(props: KeysPanelProps): ReactElement {
  const { account, session, keys, firstKey, wantsKey, onChanged, onSessionEnded } = props
  const [dialog, setDialog] = useState<'name' | KeyView | undefined>(wantsKey ? 'name' : undefined)
  const [made, setMade] = useState(firstKey)
  const all = keys.answer?.keys
  const active = all?.filter((key) => key.revokedAt === null) ?? []
  const revoked = all?.filter((key) => key.revokedAt !== null) ?? []
  const { activeKeys } = PLANS[account.plan]
  const full = activeKeys !== null && active.length >= activeKeys
  const canGrow = largerPlans(account.plan).length > 0
  const close = (): void => setDialog(undefined)

  /** Changes the keys. If that fails, the lists are refreshed too: the change may have been made and its answer lost. */
  async function change<Answer>(work: Promise<Answer>, onDone: (answer: Answer) => void): Promise<void> {
    try {
      const done = work.then((answer) => {
        onDone(answer)
        close()
      })
      await unlessSignedOut(done, onSessionEnded)
    } finally {
      onChanged()
    }
  }

  return (
    <section className="panel keys-list" aria-labelledby="keys-title">
      <div className="panel-head">
        <h2 id="keys-title">API keys</h2>
        <Button variant="primary" small disabled={full} onClick={() => setDialog('name')}>
          New key
        </Button>
      </div>
      {made && <KeyMade made={made} baseUrl={session.baseUrl} onDone={() => setMade(undefined)} />}
      {keys.error !== undefined && (
        <div className="panel-body">
          <Notice tone="bad">{errorMessage(keys.error)}</Notice>
        </div>
      )}
      {all === undefined && keys.error === undefined && <div className="keys-pending" aria-hidden="true" />}
      {all !== undefined && active.length === 0 && <NoKeys />}
      {active.length > 0 && <ActiveKeys keys={active} onRevoke={setDialog} />}
      {full && (
        <p className="panel-note">
          {PLANS[account.plan].title} has {withNoun(activeKeys, 'active key')}
          {active.length > activeKeys && `, and you have ${active.length}`}. To create another, revoke one
          {canGrow ? ' or move to a larger plan. ' : '.'}
          {canGrow && <Contact contact={session.contact} />}
        </p>
      )}
      {revoked.length > 0 && <RevokedKeys keys={revoked} />}
      {dialog === 'name' && <NewKey onClose={close} onName={(name) => change(server.makeKey(name), setMade)} />}
      {typeof dialog === 'object' && (
        <RevokeKey
          target={dialog}
          onClose={close}
          onRevoke={() => change(server.revokeKey(dialog.id), ({ id }) => made?.key.id === id && setMade(undefined))}
        />
      )}
    </section>
  )
}

function NoKeys(): ReactElement {
  return (
    <EmptyState title="No active key">
      <p>A key lets your programs use your plan’s units. Create one to get started.</p>
    </EmptyState>
  )
}

interface ActiveKeysProps {
  readonly keys: readonly KeyView[]
  readonly onRevoke: (key: KeyView) => void
}

function ActiveKeys({ keys, onRevoke }: ActiveKeysProps): ReactElement {
  const now = Date.now()
  return (
    <Table
      caption="Active keys"
      columns={[{ title: 'Name and token' }, { title: 'Created' }, { title: 'Last used' }, { title: 'Action' }]}
    >
      {keys.map((key) => (
        <tr key={key.id}>
          <KeyCell of={key}>, {key.lastUsedAt === null ? 'never used' : `used ${ago(key.lastUsedAt, now)}`}</KeyCell>
          <td className="nowrap">{day(key.createdAt)}</td>
          <td className="nowrap">
            {key.lastUsedAt === null ? (
              <span className="muted">never</span>
            ) : (
              <time dateTime={key.lastUsedAt} title={key.lastUsedAt}>
                {ago(key.lastUsedAt, now)}
              </time>
            )}
          </td>
          <td className="table-action">
            <Button small aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
              Revoke
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  )
}

function RevokedKeys({ keys }: { readonly keys: readonly KeyView[] }): ReactElement {
  return (
    <details className="fold">
      <summary>{withNoun(keys.length, 'revoked key')}</summary>
      <Table caption="Revoked keys" columns={[{ title: 'Name and token' }, { title: 'Created' }, { title: 'Revoked' }]}>
        {keys.map((key) => (
          <tr key={key.id} className="muted">
            <KeyCell of={key} />
            <td className="nowrap">{day(key.createdAt)}</td>
            <td className="nowrap">{key.revokedAt && day(key.revokedAt)}</td>
          </tr>
        ))}
      </Table>
    </details>
  )
}

interface KeyCellProps {
  readonly of: KeyView
  /** What follows the creation date. */
  readonly children?: ReactNode
}

/** On narrow screens the dates are shown here instead of in columns. */
function KeyCell({ of: { name, prefix, createdAt }, children }: KeyCellProps): ReactElement {
  return (
    <th scope="row" className="key-cell">
      <span className="key-name">{name}</span>
      <code>{prefix}…</code>
      <small className="key-dates muted">
        created {day(createdAt)}
        {children}
      </small>
    </th>
  )
}
