import { grouped, PLANS } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { ButtonLink, Code } from '../design/index.ts'
import { CodeSample } from '../shell/CodeSample.tsx'
import { Island } from '../shell/Island.tsx'
import { useOrigin } from '../shell/origin.ts'
import { PlansTable } from '../shell/PlansTable.tsx'
import { TryIt } from '../try/TryIt.tsx'

/** Written as text, because as JavaScript numbers the first two ids would be the same. */
const BODY = `{"mode": "json", "data": [
    9007199254740993,
    9007199254740992,
    9007199254740993]}`

const ANSWER = `{"result":[9007199254740993,9007199254740992],
 "kept":2,"removed":1}`

const PROMISES = [
  {
    title: 'The first one stays',
    text: 'Survivors keep their order. Nothing is sorted or merged.',
  },
  {
    title: 'Nothing is lost',
    text: 'Lines and JSON items come back exactly, every digit included. CSV cells keep their text and are quoted only where necessary.',
  },
  {
    title: 'Complete fuzzy matching',
    text: 'Every pair that reaches your threshold is found; there are no shortcuts that miss some.',
  },
  {
    title: 'Nothing is stored',
    text: 'Lists are processed in memory. We record how many rows there were, never what was in them.',
  },
  {
    title: 'Fair metering',
    text: 'One unit per row or KB, known before you send. Requests that are refused, or fail on our side, cost nothing.',
  },
  {
    title: 'On your machine too',
    text: 'This page and the command line run the same engine and send nothing.',
  },
] as const

/** The home page: what this is, a place to try it, what can be relied on, what it costs. */
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
            Paste a list here, or send one from your program: lines, CSV rows or JSON items come back in order and
            without duplicates, by exact or fuzzy matching.
          </p>
          <p className="row">
            <ButtonLink variant="primary" href="#try">
              Paste a list
            </ButtonLink>
            <ButtonLink href="/app/keys#new">Get a key</ButtonLink>
            <ButtonLink variant="quiet" href="/api">
              Reference
            </ButtonLink>
          </p>
          <ul className="hero-facts">
            <li>
              <b>Nothing is uploaded.</b> On this page, your browser does the work.
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
          {PROMISES.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
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

/** A request to this server, and its answer. */
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

/** What each plan includes and costs, in a sentence. */
function costOfTheApi(): string {
  const offers = Object.values(PLANS).map(({ allowance, pricePerMonth }) => {
    const units = grouped(allowance.units)
    if (pricePerMonth === null) return `${units} units a ${allowance.per} without a key`
    return pricePerMonth === 0 ? `${units} a ${allowance.per} with a free one` : `${units} for $${pricePerMonth}`
  })
  return `The API: ${offers.join(', ')}. A unit is a row or a KB, whichever is more.`
}
