import type { ReactElement } from 'preact/compat'
import { ButtonLink, Code } from '../design/index.ts'
import { TryIt } from '../try/TryIt.tsx'
import { PlansTable } from './PlansTable.tsx'

/** Written as text: as JavaScript numbers the first two ids would be one. */
const SAMPLE = `$ curl localhost:8080/api/dedupe -d '{
    "mode": "json",
    "data": [9007199254740993,
             9007199254740992,
             9007199254740993] }'

{"result":[9007199254740993,9007199254740992],
 "kept":2,"removed":1}`

const PROMISES = [
  {
    title: 'The first one stays',
    words: 'Survivors come back in the order they came in. Nothing is sorted or merged.',
  },
  {
    title: 'Nothing is lost on the way',
    words:
      'Lines and JSON items come back to the character, every digit included. CSV cells keep their text; quotes are written where a cell needs them.',
  },
  {
    title: 'Fuzzy without gaps',
    words: 'Every pair of names that reaches your threshold is found. No blocking that misses some.',
  },
  {
    title: 'Nothing is kept',
    words: 'Lists are worked on in memory. What is recorded is how many rows there were, never what they said.',
  },
  {
    title: 'Fair metering',
    words: 'One unit a row or KB, known before you send. What is refused, or fails on our side, costs nothing.',
  },
  {
    title: 'On your machine too',
    words:
      'This page and the command line run the same engine and send nothing. In a file a final line break ends the last line.',
  },
] as const

/** The first page: what this is, the thing itself, what can be relied on, what it costs. */
export function HomePage(): ReactElement {
  return (
    <div className="frame home">
      <section className="hero">
        <div className="hero-words">
          <h1>
            Remove duplicates.
            <br />
            Keep the first.
          </h1>
          <p className="hero-lead">
            Lines, CSV rows or JSON items go in; the same list without its duplicates comes out, in its order and with
            every value as it came. One request, one answer.
          </p>
          <p className="row">
            <ButtonLink look="primary" href="#try">
              Try it here
            </ButtonLink>
            <ButtonLink href="/app/keys">Get a key</ButtonLink>
            <ButtonLink look="quiet" href="/api">
              Read the reference
            </ButtonLink>
          </p>
        </div>
        <figure className="code hero-code" aria-label="A request and its answer">
          <Code code={SAMPLE} />
        </figure>
      </section>

      <section className="home-section" id="try" aria-labelledby="try-title">
        <h2 id="try-title">Try it</h2>
        <div id="try-it">
          <TryIt />
        </div>
      </section>

      <section className="home-section" aria-labelledby="promises-title">
        <h2 id="promises-title">What you can rely on</h2>
        <ul className="promises">
          {PROMISES.map(({ title, words }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{words}</p>
            </li>
          ))}
        </ul>
      </section>

      <section className="home-section" aria-labelledby="plans-title">
        <h2 id="plans-title">Plans</h2>
        <PlansTable />
      </section>
    </div>
  )
}
