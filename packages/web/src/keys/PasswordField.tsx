import { type ReactElement, useState } from 'preact/compat'
import { Button, Field } from '../design/index.ts'

interface PasswordFieldProps {
  readonly label: string
  /** Its name in the form. */
  readonly name?: string
  /** `new-password` lets password managers suggest one. */
  readonly autoComplete: 'current-password' | 'new-password'
  readonly hint?: string | undefined
  readonly error?: string | undefined
}

/** A password, hidden until the user chooses to see it. */
export function PasswordField(props: PasswordFieldProps): ReactElement {
  const { label, name = 'password', autoComplete, hint, error } = props
  const [shown, setShown] = useState(false)
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="password">
          <input
            {...control}
            {...(shown ? { type: 'text' } : { type: 'password' })}
            className="input"
            name={name}
            autoComplete={autoComplete}
            autoCapitalize="none"
            spellcheck={false}
          />
          <Button
            variant="quiet"
            small
            aria-pressed={shown}
            aria-label="Show password"
            onClick={() => setShown(!shown)}
          >
            {shown ? 'Hide' : 'Show'}
          </Button>
        </div>
      )}
    </Field>
  )
}
