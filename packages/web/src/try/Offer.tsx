import { modeSpec } from '@keepfirst/protocol'
import { type ReactElement, useEffect, useState } from 'preact/compat'
import { Button, Notice } from '../design/index.ts'
import type { Separator } from './question.ts'
import { BEGINNING_BYTES, type Guess, type Reading, recognise } from './recognise.ts'
import { isSample } from './samples.ts'
import type { Source } from './source.ts'

interface OfferProps {
  readonly source: Source
  /** How the list is currently read. */
  readonly reading: Reading
  readonly onTake: (reading: Reading) => void
}

/** If the list looks different from what it is read as, offers to change that. Never does so automatically. */
export function Offer({ source, reading, onTake }: OfferProps): ReactElement | null {
  const guess = useGuess(source)
  const [dismissed, setDismissed] = useState<Guess>()
  if (!guess || guess === dismissed || sameReading(guess, reading)) return null
  return (
    <div className="try-offer">
      <Notice live>
        <div className="row row-apart">
          <span>{guess.sentence}</span>
          <span className="row">
            <Button small variant="primary" onClick={() => onTake(guess)}>
              {guess.mode === reading.mode ? 'Read it that way' : `Read it as ${modeSpec(guess.mode).title}`}
            </Button>
            <Button small onClick={() => setDismissed(guess)}>
              Leave it as it is
            </Button>
          </span>
        </div>
      </Notice>
    </div>
  )
}

function sameReading(a: Reading, b: Reading): boolean {
  const separator = (reading: Reading): Separator => (reading.mode === 'rows' ? reading.separator : ',')
  return a.mode === b.mode && separator(a) === separator(b)
}

/** What the current list looks like. */
function useGuess({ name, text, blob }: Source): Guess | undefined {
  const [guess, setGuess] = useState<Guess>()
  useEffect(() => {
    let current = true
    setGuess(undefined)
    if (text === undefined || !isSample(text))
      guessFrom({ name, text, blob }).then(
        (found) => current && setGuess(found),
        () => undefined, // the run has the same problem and reports it
      )
    return () => {
      current = false
    }
  }, [name, text, blob])
  return guess
}

async function guessFrom({ name, text, blob }: Pick<Source, 'name' | 'text' | 'blob'>): Promise<Guess | undefined> {
  const beginning = text?.slice(0, BEGINNING_BYTES) ?? (await blob?.slice(0, BEGINNING_BYTES).text()) ?? ''
  return recognise({ name, text: beginning, wholeLength: text?.length ?? blob?.size ?? 0 })
}
