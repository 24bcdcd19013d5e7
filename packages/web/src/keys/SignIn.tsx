import {
  FIELD_LIMITS,
  FIRST_PLAN,
  grouped,
  type KeyMadeAnswer,
  PLANS,
  type SessionAnswer,
  withNoun,
} from '@keepfirst/protocol'
import { type ReactElement, useState } from 'preact/compat'
import { Button, Contact, Field, Notice, Tabs } from '../design/index.ts'
import { RequestError, server } from './api.ts'
import { ErrorNotice } from './ErrorNotice.tsx'
import type { SignedOutReason } from './KeysPage.tsx'
import { emailError, newEmailError, newPasswordError, RETENTION_NOTICE } from './messages.ts'
import { PasswordField } from './PasswordField.tsx'
import { useForm } from './useForm.ts'

interface SignInProps {
  readonly session: SessionAnswer
  /** Why the user is signed out. */
  readonly reason: SignedOutReason
  /** Whether the user came for a key; if so, sign-up is shown first. */
  readonly wantsKey: boolean
  /** The user is signed in, with a first key if the account is new. */
  readonly onDone: (made?: KeyMadeAnswer) => Promise<void>
}

const NOTICES: { readonly [Name in SignedOutReason]: string | undefined } = {
  initial: undefined,
  'signed out': undefined,
  expired: 'Your session has ended. Sign in again.',
  deleted: `Your account has been deleted and its keys revoked. ${RETENTION_NOTICE}`,
}

/** Sign-in, and sign-up where the operator allows it. */
export function SignIn({ session, reason, wantsKey, onDone }: SignInProps): ReactElement {
  const open = session.signUp === 'open'
  const [tab, setTab] = useState<'in' | 'up'>(wantsKey && open ? 'up' : 'in')
  const first = PLANS[FIRST_PLAN]
  const notice = NOTICES[reason]
  return (
    <div className="sign-in stack">
      <header className="sign-in-head">
        <h1>{tab === 'in' ? 'Sign in' : 'Create an account'}</h1>
        <p className="muted">
          {tab === 'in' ? 'Create API keys and see their usage.' : 'It comes with your first key.'}
        </p>
      </header>
      {notice && <Notice live>{notice}</Notice>}
      <div className="panel">
        {open ? (
          <Tabs
            label="Have an account?"
            tabs={[
              { name: 'in', title: 'Sign in' },
              { name: 'up', title: 'Create account' },
            ]}
            current={tab}
            onChoose={setTab}
            barClass="sign-in-tabs"
          >
            {tab === 'in' ? <SignInForm contact={session.contact} onDone={onDone} /> : <SignUpForm onDone={onDone} />}
          </Tabs>
        ) : (
          <SignInForm contact={session.contact} onDone={onDone} />
        )}
      </div>
      <p className="sign-in-foot">
        {open ? (
          <>
            Accounts start on the {first.title} plan: {grouped(first.allowance.units)} units a month,{' '}
            {withNoun(first.activeKeys ?? 0, 'key')}, no payment.
          </>
        ) : (
          <>
            New accounts are created by the operator of this server. <Contact contact={session.contact} />
          </>
        )}
      </p>
    </div>
  )
}

interface SignInFormProps extends Pick<SignInProps, 'onDone'> {
  readonly contact: string | null
}

function SignInForm({ contact, onDone }: SignInFormProps): ReactElement {
  const form = useForm(
    (field) => ({
      email: emailError(field('email').trim()),
      password: field('password') === '' ? 'Enter your password.' : undefined,
    }),
    async (field) => {
      await server.signIn(field('email').trim(), field('password'))
      await onDone()
    },
  )
  return (
    <form className="panel-body stack" ref={form.ref} onSubmit={form.onSubmit} noValidate>
      <ErrorNotice message={form.submitError} />
      <EmailField error={form.errors.email} />
      <PasswordField label="Password" autoComplete="current-password" error={form.errors.password} />
      <Button type="submit" variant="primary" aria-disabled={form.sending}>
        {form.sending ? 'Signing in…' : 'Sign in'}
      </Button>
      <details className="forgotten">
        <summary className="forgotten-title">Forgot your password?</summary>
        <p className="field-hint">
          This server sends no mail. Its operator can give you a link that sets a new password. It works once, for one
          day. <Contact contact={contact} />
        </p>
      </details>
    </form>
  )
}

/** The server does not reveal whether an address is already known; only signing in with the password shows that. */
const TAKEN =
  'If you have an account with this address already, sign in with its password. Otherwise it can’t be used here: ask the operator of this server.'

/** The name of the key that comes with an account. */
const FIRST_KEY = 'first key'

function SignUpForm({ onDone }: Pick<SignInProps, 'onDone'>): ReactElement {
  const [taken, setTaken] = useState(false)
  const form = useForm(
    (field) => ({ email: newEmailError(field('email').trim()), password: newPasswordError(field('password')) }),
    async (field) => {
      const email = field('email').trim()
      setTaken(false)
      await server.signUp(email, field('password'))
      try {
        await server.signIn(email, field('password'))
      } catch (error) {
        if (!(error instanceof RequestError && error.is('wrong credentials'))) throw error
        return setTaken(true)
      }
      // If this fails, the user is signed in anyway and can create a key on the dashboard.
      await onDone(await server.makeKey(FIRST_KEY).catch(() => undefined))
    },
  )
  return (
    <form className="panel-body stack" ref={form.ref} onSubmit={form.onSubmit} noValidate>
      {(form.submitError || taken) && (
        <Notice tone={taken ? 'warn' : 'bad'} live>
          {form.submitError ?? TAKEN}
        </Notice>
      )}
      <EmailField error={form.errors.email} />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint={`At least ${FIELD_LIMITS.passwordLeast} characters.`}
        error={form.errors.password}
      />
      <Button type="submit" variant="primary" aria-disabled={form.sending}>
        {form.sending ? 'Creating your account…' : 'Create account'}
      </Button>
    </form>
  )
}

/** Not of type `email`: browsers would change an address whose domain is not ASCII. */
function EmailField({ error }: { readonly error: string | undefined }): ReactElement {
  return (
    <Field label="Email" error={error}>
      {(control) => (
        <input
          {...control}
          className="input"
          name="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellcheck={false}
          maxLength={FIELD_LIMITS.email}
        />
      )}
    </Field>
  )
}
