import { type AccountView, FIELD_LIMITS } from '@keepfirst/protocol'
import { type ReactElement, useState } from 'preact/compat'
import { Button, ButtonLink, Dialog, Notice } from '../design/index.ts'
import { EXPORT_URL, RequestError, server, unlessSignedOut } from './api.ts'
import { ErrorNotice } from './ErrorNotice.tsx'
import { day } from './format.ts'
import { errorMessage, newPasswordError, RETENTION_NOTICE } from './messages.ts'
import { PasswordField } from './PasswordField.tsx'
import { useForm } from './useForm.ts'

interface AccountPanelProps {
  readonly account: AccountView
  /** The session has expired or was revoked. */
  readonly onSessionEnded: () => void
  /** The user has signed out. */
  readonly onSignedOut: () => void
  readonly onDeleted: () => void
}

type AccountDialog = 'password' | 'everywhere' | 'delete'

/** Everything about the account itself: password, sessions, data, deletion. */
export function AccountPanel({ account, onSessionEnded, onSignedOut, onDeleted }: AccountPanelProps): ReactElement {
  const [dialog, setDialog] = useState<AccountDialog>()
  const [changed, setChanged] = useState(false)
  const close = (): void => setDialog(undefined)
  return (
    <section className="panel" aria-labelledby="account-title">
      <div className="panel-head">
        <h2 id="account-title">Account</h2>
      </div>
      {changed && (
        <div className="panel-body">
          <Notice tone="good" live>
            Your password has been changed and every other session has ended.
          </Notice>
        </div>
      )}
      <ul className="account-actions">
        <AccountAction title="Password" description="Changing it ends every other session.">
          <Button small onClick={() => setDialog('password')}>
            Change password
          </Button>
        </AccountAction>
        <AccountAction
          title="Sessions"
          description="Every browser that is signed in to your account, including this one."
        >
          <Button small onClick={() => setDialog('everywhere')}>
            Sign out everywhere
          </Button>
        </AccountAction>
        <AccountAction title="Your data" description="Everything that is stored about you, as one JSON file.">
          <ButtonLink small href={EXPORT_URL} download>
            Download my data
          </ButtonLink>
        </AccountAction>
        <AccountAction
          title="Deletion"
          description="Keys stop working at once. You will see what is kept before you confirm."
        >
          <Button variant="danger" small onClick={() => setDialog('delete')}>
            Delete account
          </Button>
        </AccountAction>
      </ul>
      <p className="panel-note">
        Created on {day(account.createdAt)}
        {account.verified
          ? ', and claimed with a one-time link from the operator of this server.'
          : ' by signing up. Nobody has verified that the address is yours.'}
      </p>
      {dialog === 'password' && (
        <ChangePassword
          onClose={close}
          onSessionEnded={onSessionEnded}
          onChanged={() => {
            setChanged(true)
            close()
          }}
        />
      )}
      {dialog === 'everywhere' && (
        <SignOutEverywhere onClose={close} onSessionEnded={onSessionEnded} onDone={onSignedOut} />
      )}
      {dialog === 'delete' && <DeleteAccount onClose={close} onSessionEnded={onSessionEnded} onDeleted={onDeleted} />}
    </section>
  )
}

function AccountAction(props: { title: string; description: string; children: ReactElement }): ReactElement {
  return (
    <li>
      <span>
        <strong>{props.title}</strong>
        <span className="field-hint">{props.description}</span>
      </span>
      {props.children}
    </li>
  )
}

interface AccountDialogProps {
  readonly onClose: () => void
  readonly onSessionEnded: () => void
}

/** Waits for an action that takes the user's password. */
async function withPassword(work: Promise<unknown>, onSessionEnded: () => void, onDone: () => void): Promise<void> {
  const done = work.then(onDone, (error: unknown) => {
    throw error instanceof RequestError && error.is('wrong credentials') ? new RequestError('wrong password') : error
  })
  await unlessSignedOut(done, onSessionEnded)
}

function ChangePassword({
  onClose,
  onSessionEnded,
  onChanged,
}: AccountDialogProps & { onChanged: () => void }): ReactElement {
  const form = useForm(
    (field) => ({
      current: field('current') === '' ? 'Enter your password.' : undefined,
      password: newPasswordError(field('password')),
    }),
    (field) => withPassword(server.changePassword(field('current'), field('password')), onSessionEnded, onChanged),
  )
  return (
    <Dialog title="Change password" onClose={onClose}>
      <form className="stack" ref={form.ref} onSubmit={form.onSubmit} noValidate>
        <ErrorNotice message={form.submitError} />
        <PasswordField
          label="Current password"
          name="current"
          autoComplete="current-password"
          error={form.errors.current}
        />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          hint={`At least ${FIELD_LIMITS.passwordLeast} characters.`}
          error={form.errors.password}
        />
        <div className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" aria-disabled={form.sending}>
            {form.sending ? 'Saving…' : 'Save password'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function SignOutEverywhere({
  onClose,
  onSessionEnded,
  onDone,
}: AccountDialogProps & { onDone: () => void }): ReactElement {
  const [error, setError] = useState<string>()
  async function signOut(): Promise<void> {
    setError(undefined)
    try {
      await unlessSignedOut(server.signOutEverywhere().then(onDone), onSessionEnded)
    } catch (caught) {
      setError(errorMessage(caught))
    }
  }
  return (
    <Dialog title="Sign out everywhere?" onClose={onClose}>
      <p>All your sessions end now, including this one. Keys keep working.</p>
      <ErrorNotice message={error} />
      <div className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" onClick={signOut}>
          Sign out everywhere
        </Button>
      </div>
    </Dialog>
  )
}

function DeleteAccount({
  onClose,
  onSessionEnded,
  onDeleted,
}: AccountDialogProps & { onDeleted: () => void }): ReactElement {
  const form = useForm(
    (field) => ({ password: field('password') === '' ? 'Enter your password.' : undefined }),
    (field) => withPassword(server.deleteAccount(field('password')), onSessionEnded, onDeleted),
  )
  return (
    <Dialog title="Delete this account?" onClose={onClose}>
      <p>
        Your address, password, keys and list of calls are deleted, and keys stop working at once. This can’t be undone.{' '}
        {RETENTION_NOTICE}
      </p>
      <form className="stack" ref={form.ref} onSubmit={form.onSubmit} noValidate>
        <ErrorNotice message={form.submitError} />
        <PasswordField label="Password" autoComplete="current-password" error={form.errors.password} />
        <div className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" aria-disabled={form.sending}>
            {form.sending ? 'Deleting…' : 'Delete permanently'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
