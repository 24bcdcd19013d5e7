import { type AccountView, FIELD_LIMITS } from '@keepfirst/protocol'
import { type ReactElement, useState } from 'preact/compat'
import { Button, ButtonLink, Dialog, Notice } from '../design/index.ts'
import { EXPORT_ADDRESS, server, Trouble } from './api.ts'
import { PasswordField } from './PasswordField.tsx'
import { useForm } from './useForm.ts'
import { day, newPasswordError, troubleInWords, WHAT_STAYS } from './words.ts'

interface AccountPanelProps {
  readonly account: AccountView
  /** The session has expired or was revoked. */
  readonly onSignedOut: () => void
  /** The user has signed out. */
  readonly onLeft: () => void
  readonly onDeleted: () => void
}

type Question = 'password' | 'everywhere' | 'delete'

/** Everything about the account itself: password, sessions, data, deletion. */
export function AccountPanel({ account, onSignedOut, onLeft, onDeleted }: AccountPanelProps): ReactElement {
  const [asking, setAsking] = useState<Question>()
  const [changed, setChanged] = useState(false)
  const close = (): void => setAsking(undefined)
  return (
    <section className="panel keys-account" aria-labelledby="account-title">
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
      <ul className="deeds">
        <Deed title="Password" words="Changing it ends every other session.">
          <Button small onClick={() => setAsking('password')}>
            Change password
          </Button>
        </Deed>
        <Deed title="Sessions" words="Every browser that is signed in to your account, including this one.">
          <Button small onClick={() => setAsking('everywhere')}>
            Sign out everywhere
          </Button>
        </Deed>
        <Deed title="Your data" words="Everything that is stored about you, as one JSON file.">
          <ButtonLink small href={EXPORT_ADDRESS} download>
            Download my data
          </ButtonLink>
        </Deed>
        <Deed title="Deletion" words="Keys stop working at once. You will see what is kept before you confirm.">
          <Button variant="danger" small onClick={() => setAsking('delete')}>
            Delete account
          </Button>
        </Deed>
      </ul>
      <p className="panel-note">
        Created on {day(account.createdAt)}
        {account.verified
          ? ', and claimed with a one-time link from the operator of this server.'
          : ' by signing up. Nobody has verified that the address is yours.'}
      </p>
      {asking === 'password' && (
        <ChangePassword
          onClose={close}
          onSignedOut={onSignedOut}
          onChanged={() => {
            setChanged(true)
            close()
          }}
        />
      )}
      {asking === 'everywhere' && <SignOutEverywhere onClose={close} onDone={onLeft} />}
      {asking === 'delete' && <DeleteAccount onClose={close} onSignedOut={onSignedOut} onDeleted={onDeleted} />}
    </section>
  )
}

function Deed(props: { title: string; words: string; children: ReactElement }): ReactElement {
  return (
    <li>
      <span>
        <strong>{props.title}</strong>
        <span className="field-hint">{props.words}</span>
      </span>
      {props.children}
    </li>
  )
}

interface QuestionProps {
  readonly onClose: () => void
  readonly onSignedOut: () => void
}

/** Runs an action; if the session has ended in the meantime, shows the sign-in form. */
async function orSignedOut(work: Promise<unknown>, onSignedOut: () => void, onDone: () => void): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof Trouble)) throw error
    if (error.is('signed out')) return onSignedOut()
    if (error.is('wrong credentials')) throw new Trouble('wrong password')
    throw error
  }
  onDone()
}

function ChangePassword({ onClose, onSignedOut, onChanged }: QuestionProps & { onChanged: () => void }): ReactElement {
  const form = useForm(
    (field) => ({
      current: field('current') === '' ? 'Enter your password.' : undefined,
      password: newPasswordError(field('password')),
    }),
    (field) => orSignedOut(server.changePassword(field('current'), field('password')), onSignedOut, onChanged),
  )
  return (
    <Dialog title="Change password" onClose={onClose}>
      <form className="stack" ref={form.ref} onSubmit={form.onSubmit} noValidate>
        {form.trouble && (
          <Notice tone="bad" live>
            {form.trouble}
          </Notice>
        )}
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

function SignOutEverywhere({ onClose, onDone }: { onClose: () => void; onDone: () => void }): ReactElement {
  const [trouble, setTrouble] = useState<string>()
  async function signOut(): Promise<void> {
    setTrouble(undefined)
    await server.signOutEverywhere().then(onDone, (error: unknown) => setTrouble(troubleInWords(error)))
  }
  return (
    <Dialog title="Sign out everywhere?" onClose={onClose}>
      <p>All your sessions end now, including this one. Keys keep working.</p>
      {trouble && (
        <Notice tone="bad" live>
          {trouble}
        </Notice>
      )}
      <div className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" onClick={signOut}>
          Sign out everywhere
        </Button>
      </div>
    </Dialog>
  )
}

function DeleteAccount({ onClose, onSignedOut, onDeleted }: QuestionProps & { onDeleted: () => void }): ReactElement {
  const form = useForm(
    (field) => ({ password: field('password') === '' ? 'Enter your password.' : undefined }),
    (field) => orSignedOut(server.deleteAccount(field('password')), onSignedOut, onDeleted),
  )
  return (
    <Dialog title="Delete this account?" onClose={onClose}>
      <p>
        Your address, password, keys and list of calls are deleted, and keys stop working at once. This can’t be undone.{' '}
        {WHAT_STAYS}
      </p>
      <form className="stack" ref={form.ref} onSubmit={form.onSubmit} noValidate>
        {form.trouble && (
          <Notice tone="bad" live>
            {form.trouble}
          </Notice>
        )}
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
