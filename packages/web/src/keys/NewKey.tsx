import { FIELD_LIMITS, type KeyMadeAnswer } from '@keepfirst/protocol'
import { type ReactElement, useEffect, useRef } from 'preact/compat'
import { Button, CodeBlock, CopyButton, Dialog, Field } from '../design/index.ts'
import { curl, type ExampleCall } from '../examples/examples.ts'
import { ErrorNotice } from './ErrorNotice.tsx'
import { useForm } from './useForm.ts'

interface NewKeyProps {
  readonly onName: (name: string) => Promise<void>
  readonly onClose: () => void
}

/** Asks for the name of a new key. */
export function NewKey({ onName, onClose }: NewKeyProps): ReactElement {
  const form = useForm(
    (field) => ({ name: field('name').trim() === '' ? 'Give the key a name.' : undefined }),
    (field) => onName(field('name').trim()),
  )
  return (
    <Dialog title="New API key" onClose={onClose}>
      <form className="stack" ref={form.ref} onSubmit={form.onSubmit} noValidate>
        <ErrorNotice message={form.submitError} />
        <Field
          label="Name"
          hint="Where it will be used, so that you can tell later which key to revoke."
          error={form.errors.name}
        >
          {(control) => (
            <input
              {...control}
              className="input"
              name="name"
              placeholder="nightly import"
              maxLength={FIELD_LIMITS.keyName}
              autoComplete="off"
            />
          )}
        </Field>
        <div className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" aria-disabled={form.sending}>
            {form.sending ? 'Creating…' : 'Create key'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface KeyMadeProps {
  readonly made: KeyMadeAnswer
  readonly baseUrl: string
  readonly onDone: () => void
}

/** Shows a new key's token, which is never shown again, and a command that uses it. */
export function KeyMade({ made, baseUrl, onDone }: KeyMadeProps): ReactElement {
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <section className="key-made stack" ref={box} tabIndex={-1} aria-labelledby="key-made-title">
      <div>
        <h3 id="key-made-title">
          “<span className="key-name">{made.key.name}</span>” is ready
        </h3>
        <p className="muted">Copy the token now: it is shown only once and is not stored.</p>
      </div>
      <div className="token">
        <code>{made.token}</code>
        <CopyButton text={made.token} what="token" />
      </div>
      <CodeBlock title="Try it" code={curl(baseUrl, FIRST_CALL, made.token)} wrap />
      <div>
        <Button small onClick={onDone}>
          I have copied it
        </Button>
      </div>
    </section>
  )
}

/** A request that costs a single unit. */
const FIRST_CALL: ExampleCall = {
  mode: 'lines',
  options: {},
  data: { from: 'example', text: 'apple\npear\napple' },
  keyed: true,
}
