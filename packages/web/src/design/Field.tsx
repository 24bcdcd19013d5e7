import type { ChangeEvent, ReactElement, ReactNode } from 'preact/compat'
import { useUniqueId } from './ids.ts'

/** Attributes for the control inside a field, so that screen readers announce its label, hint and error. */
interface FieldControl {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  /** Replaces the hint and marks the control as invalid. */
  readonly error?: string | undefined
  readonly children: (control: FieldControl) => ReactNode
}

/** A labelled control: `<Field label="Name">{(control) => <input className="input" {...control} />}</Field>`. */
export function Field({ label, hint, error, children }: FieldProps): ReactElement {
  const id = useUniqueId()
  const noteId = `${id}-note`
  const noted = error !== undefined || hint !== undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': noted ? noteId : undefined, 'aria-invalid': error ? true : undefined })}
      {noted && (
        <p id={noteId} className={error ? 'field-error' : 'field-hint'}>
          {error ?? hint}
        </p>
      )}
    </div>
  )
}

interface CheckProps {
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void
  readonly children: ReactNode
}

/** A checkbox with its label. */
export function Check({ children, ...rest }: CheckProps): ReactElement {
  return (
    <label className="check">
      <input {...rest} type="checkbox" />
      <span>{children}</span>
    </label>
  )
}
