import { grouped } from '@keepfirst/protocol'
import { type ClipboardEvent, type ReactElement, useEffect, useRef, useState } from 'preact/compat'
import { Button, classes } from '../design/index.ts'
import { type Source, sourceOfFile, sourceOfPaste, sourceOfText } from './source.ts'

interface SourceProps {
  readonly source: Source
  readonly onChange: (source: Source) => void
  readonly onClear: () => void
}

/** Where the list is entered: typed, pasted, dropped or opened. */
export function SourcePane({ source, onChange, onClear }: SourceProps): ReactElement {
  const picker = useRef<HTMLInputElement>(null)
  const take = async ([file, ...others]: readonly File[]): Promise<void> => {
    if (file) onChange(await sourceOfFile(file, others.length))
  }
  const isOver = useDroppedFiles(take)
  return (
    <section className={classes('try-pane', isOver && 'try-pane-over')} aria-label="Your list">
      <div className="try-pane-head">
        <h3 className="field-label">
          Your list {source.text !== undefined && source.name && <bdi className="try-name">{source.name}</bdi>}
        </h3>
        <span className="row">
          <input
            ref={picker}
            type="file"
            className="visually-hidden"
            tabIndex={-1}
            aria-label="File with your list"
            onChange={({ currentTarget }) => {
              take([...(currentTarget.files ?? [])])
              currentTarget.value = ''
            }}
          />
          <Button variant="quiet" small onClick={() => picker.current?.click()}>
            Open a file
          </Button>
          <Button variant="quiet" small onClick={onClear}>
            Clear
          </Button>
        </span>
      </div>
      {source.text !== undefined && <Editor text={source.text} onChange={onChange} />}
      {source.text === undefined && source.blob && <FileCard name={source.name ?? 'Pasted text'} blob={source.blob} />}
    </section>
  )
}

/**
 * Takes files that are dropped anywhere on the page, which the browser would otherwise leave in order to show them.
 * @returns whether files are being dragged over the page
 */
function useDroppedFiles(onDrop: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const dragged = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    }
    const left = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false)
    }
    const dropped = (event: DragEvent): void => {
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      setOver(false)
      onDrop(files)
    }
    addEventListener('dragover', dragged)
    addEventListener('dragleave', left)
    addEventListener('drop', dropped)
    return () => {
      removeEventListener('dragover', dragged)
      removeEventListener('dragleave', left)
      removeEventListener('drop', dropped)
    }
  })
  return isOver
}

function Editor({ text, onChange }: { text: string; onChange: (source: Source) => void }): ReactElement {
  const pasted = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const paste = event.clipboardData?.getData('text/plain') ?? ''
    const { selectionStart, selectionEnd } = event.currentTarget
    const next = sourceOfPaste([text.slice(0, selectionStart), paste, text.slice(selectionEnd)])
    if (next.text !== undefined) return
    event.preventDefault()
    onChange(next)
  }
  return (
    <textarea
      className="try-editor"
      aria-label="Your list: type, paste or drop a file"
      placeholder="Type, paste, or drop a file here"
      spellcheck={false}
      autoCapitalize="off"
      autoComplete="off"
      wrap="off"
      value={text}
      onChange={({ currentTarget }) => onChange(sourceOfText(currentTarget.value))}
      onPaste={pasted}
    />
  )
}

/** Bytes shown as the beginning of a file. */
const PREVIEW_BYTES = 4_096

function FileCard({ name, blob }: { name: string; blob: Blob }): ReactElement {
  const [beginning, setBeginning] = useState('')
  useEffect(() => {
    let current = true
    blob
      .slice(0, PREVIEW_BYTES)
      .text()
      .then(
        (text) => current && setBeginning(text),
        () => undefined, // the run has the same problem and reports it
      )
    return () => {
      current = false
    }
  }, [blob])
  return (
    <div className="try-file">
      <p className="try-file-name">
        <b>
          <bdi>{name}</bdi>
        </b>{' '}
        <span className="muted">{sizeOf(blob.size)}, stays on this machine</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard (WCAG 2.1.1) */}
      <pre tabIndex={0}>{beginning}</pre>
    </div>
  )
}

/** A size in words; 1 KB is 1,024 bytes, as in the API's limits. */
function sizeOf(bytes: number): string {
  if (bytes < 1_024) return `${bytes} bytes`
  const [size, unit] = bytes < 1_048_576 ? [bytes / 1_024, 'KB'] : [bytes / 1_048_576, 'MB']
  return `${size < 10 ? size.toFixed(1) : grouped(Math.round(size))} ${unit}`
}
