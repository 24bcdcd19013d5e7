import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'preact/compat'
import { errorMessage } from './messages.ts'

export type Errors = { readonly [field: string]: string | undefined }

export interface Form {
  readonly ref: RefObject<HTMLFormElement | null>
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  readonly errors: Errors
  /** What went wrong when it was sent. */
  readonly submitError: string | undefined
  readonly sending: boolean
}

/**
 * A form that checks its fields, shows their errors, and is sent only once at a time. The first invalid field is
 * focused.
 * @param check returns the fields' errors; the form is valid when every value is undefined
 */
export function useForm(
  check: (field: (name: string) => string) => Errors,
  send: (field: (name: string) => string) => Promise<void>,
): Form {
  const ref = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<Errors>({})
  const [submitError, setSubmitError] = useState<string>()
  const [sending, setSending] = useState(false)

  useEffect(() => {
    if (Object.values(errors).some(Boolean)) ref.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [errors])

  async function submit(data: FormData): Promise<void> {
    const field = (name: string): string => String(data.get(name) ?? '')
    const found = check(field)
    setErrors(found)
    setSubmitError(undefined)
    if (Object.values(found).some(Boolean)) return
    setSending(true)
    try {
      await send(field)
    } catch (error) {
      setSubmitError(errorMessage(error))
    } finally {
      setSending(false)
    }
  }

  return {
    ref,
    errors,
    submitError,
    sending,
    onSubmit: (event) => {
      event.preventDefault()
      if (!sending) void submit(new FormData(event.currentTarget))
    },
  }
}
