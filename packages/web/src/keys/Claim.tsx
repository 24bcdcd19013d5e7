import { FIELD_LIMITS } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { Button } from '../design/index.ts'
import { server } from './api.ts'
import { ErrorNotice } from './ErrorNotice.tsx'
import { newPasswordError } from './messages.ts'
import { PasswordField } from './PasswordField.tsx'
import { useForm } from './useForm.ts'

interface ClaimProps {
  /** The secret of the operator's one-time link. */
  readonly token: string
  readonly onDone: () => Promise<void>
  readonly onLeave: () => void
}

/** Sets the password of an account that the operator created or is recovering, and signs in. */
export function Claim({ token, onDone, onLeave }: ClaimProps): ReactElement {
  const form = useForm(
    (field) => ({ password: newPasswordError(field('password')) }),
    async (field) => {
      const { email } = await server.claim(token, field('password'))
      await server.signIn(email, field('password'))
      await onDone()
    },
  )
  return (
    <div className="sign-in stack">
      <header className="sign-in-head">
        <h1>Choose a password</h1>
        <p className="muted">
          Your one-time link makes this account yours. Anything set up with this address before is revoked: sessions,
          the password, and keys created after signing up. Keys created by the operator keep working.
        </p>
      </header>
      <form className="panel panel-body stack" ref={form.ref} onSubmit={form.onSubmit} noValidate>
        <ErrorNotice message={form.submitError} />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          hint={`At least ${FIELD_LIMITS.passwordLeast} characters. The link works once.`}
          error={form.errors.password}
        />
        <Button type="submit" variant="primary" aria-disabled={form.sending}>
          {form.sending ? 'Saving…' : 'Save and sign in'}
        </Button>
      </form>
      <p className="sign-in-foot">
        <Button variant="quiet" small onClick={onLeave}>
          Sign in instead
        </Button>
      </p>
    </div>
  )
}
