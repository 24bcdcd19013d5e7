import { FIELD_LIMITS, PLANS, type SessionAnswer } from '@keepfirst/protocol'
import { type ReactElement, useState } from 'preact/compat'
import { Button, Contact, Field, Notice, Tabs } from '../design/index.ts'
import { server, Trouble } from './api.ts'
import { PasswordField } from './PasswordField.tsx'
import { useForm } from './useForm.ts'
import { count, emailError, newPasswordError, number } from './words.ts'

interface SignInProps {
  readonly session: SessionAnswer
  /** The last session ended by itself. */
  readonly ended: boolean
  readonly onDone: () => Promise<void>
}

/** Signing in, and making an account where the operator allows it. */
export function SignIn({ session, ended, onDone }: SignInProps): ReactElement {
  const [tab, setTab] = useState<'in' | 'up'>('in')
  const open = session.signUp === 'open'
  return (
    <div className="gate stack">
      <header className="gate-head">
        <h1>{tab === 'in' ? 'Sign in' : 'Create an account'}</h1>
        <p className="muted">Make API keys and see what they used.</p>
      </header>
      {ended && <Notice live>Your session has ended. Sign in again.</Notice>}
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
            barClass="gate-tabs"
          >
            {tab === 'in' ? <SignInForm onDone={onDone} /> : <SignUpForm onDone={onDone} />}
          </Tabs>
        ) : (
          <SignInForm onDone={onDone} />
        )}
      </div>
      <p className="gate-foot">
        {open ? (
          <>
            Accounts begin on the {PLANS.free.title} plan: {number(PLANS.free.allowance.units)} units a month,{' '}
            {count(PLANS.free.activeKeys ?? 0, 'key')}, no payment.
          </>
        ) : (
          <>
            New accounts are made by whoever runs this server. <Contact contact={session.contact} />
          </>
        )}
      </p>
    </div>
  )
}

function SignInForm({ onDone }: Pick<SignInProps, 'onDone'>): ReactElement {
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
      {form.trouble && (
        <Notice tone="bad" live>
          {form.trouble}
        </Notice>
      )}
      <EmailField error={form.errors.email} />
      <PasswordField label="Password" autoComplete="current-password" error={form.errors.password} />
      <Button type="submit" look="primary" aria-disabled={form.sending}>
        {form.sending ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  )
}

/** The server answers alike whether an address is new or known; only signing in with the password tells. */
const TAKEN =
  'If you have an account with this address already, sign in with its password. Otherwise it can’t be used here: ask whoever runs this server.'

function SignUpForm({ onDone }: Pick<SignInProps, 'onDone'>): ReactElement {
  const [taken, setTaken] = useState(false)
  const form = useForm(
    (field) => ({ email: emailError(field('email').trim()), password: newPasswordError(field('password')) }),
    async (field) => {
      const email = field('email').trim()
      setTaken(false)
      await server.signUp(email, field('password'))
      try {
        await server.signIn(email, field('password'))
      } catch (error) {
        if (!(error instanceof Trouble && error.is('wrong credentials'))) throw error
        return setTaken(true)
      }
      await onDone()
    },
  )
  return (
    <form className="panel-body stack" ref={form.ref} onSubmit={form.onSubmit} noValidate>
      {(form.trouble || taken) && (
        <Notice tone={taken ? 'warn' : 'bad'} live>
          {form.trouble ?? TAKEN}
        </Notice>
      )}
      <EmailField error={form.errors.email} />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint={`At least ${FIELD_LIMITS.passwordLeast} characters.`}
        error={form.errors.password}
      />
      <Button type="submit" look="primary" aria-disabled={form.sending}>
        {form.sending ? 'Creating your account…' : 'Create account'}
      </Button>
    </form>
  )
}

function EmailField({ error }: { readonly error: string | undefined }): ReactElement {
  return (
    <Field label="Email" error={error}>
      {(control) => (
        <input
          {...control}
          className="input"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellcheck={false}
          maxLength={FIELD_LIMITS.email}
        />
      )}
    </Field>
  )
}
