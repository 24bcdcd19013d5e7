import { grouped, PLANS } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { ButtonLink, Code } from '../design/index.ts'
import { CodeSample } from '../shell/CodeSample.tsx'
import { Island } from '../shell/Island.tsx'
import { useOrigin } from '../shell/origin.ts'
import { PlansTable } from '../shell/PlansTable.tsx'
import { TryIt } from '../try/TryIt.tsx'

/** Written as text: as JavaScript numbers the first two ids would be one. */
const BODY = `{"mode": "json", "data": [
    9007199254740993,
    9007199254740992,
    9007199254740993]}`

const ANSWER = `{"result":[9007199254740993,9007199254740992],
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
            For people with a list to clean and programs with one to send: lines, CSV rows or JSON items come back
            without their duplicates, in their order, exact or fuzzy.
          </p>
          <p className="row">
            <ButtonLink look="primary" href="#try">
              Paste a list
            </ButtonLink>
            <ButtonLink href="/app/keys#new">Get a key</ButtonLink>
            <ButtonLink look="quiet" href="/api">
              Reference
            </ButtonLink>
          </p>
          <ul className="hero-facts">
            <li>
              <b>Nothing is uploaded.</b> On this page your browser does the work.
            </li>
            <li>
              <b>Free here, without limits.</b> {costOfTheApi()}
            </li>
          </ul>
        </div>
        <Hero />
      </section>

      <section className="home-section" id="try" aria-labelledby="try-title">
        <h2 id="try-title">Try it</h2>
        <Island name="try">
          <TryIt />
        </Island>
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

/** A request to this very server, and what it answers. */
function Hero(): ReactElement {
  const command = `curl ${useOrigin()}/api/dedupe \\
  -d '${BODY}'`
  return (
    <div className="hero-code">
      <CodeSample title="A request" code={command} />
      <figure className="code" aria-label="Its answer">
        <Code code={ANSWER} json />
      </figure>
    </div>
  )
}

/** What each plan gives for what, in a sentence. */
function costOfTheApi(): string {
  const offers = Object.values(PLANS).map(({ allowance, pricePerMonth }) => {
    const units = grouped(allowance.units)
    if (pricePerMonth === null) return `${units} units a ${allowance.per} without a key`
    return pricePerMonth === 0 ? `${units} a ${allowance.per} with a free one` : `${units} for $${pricePerMonth}`
  })
  return `The API: ${offers.join(', ')}. A unit is a row or a KB, whichever is more.`
}
