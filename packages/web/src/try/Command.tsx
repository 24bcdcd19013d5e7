import { PLANS, type PlanName, unitsOf } from '@keepfirst/protocol'
import { type ReactElement, useState } from 'preact/compat'
import { Button, Code, CopyButton, Tabs } from '../design/index.ts'
import { useOrigin } from '../shell/origin.ts'
import type { Summary } from './messages.ts'
import type { Question } from './question.ts'
import { curlRequest, localCommand, requestBody } from './requests.ts'
import type { Source } from './Source.tsx'
import { save } from './save.ts'
import type { Workshop } from './workshop.ts'

interface CommandProps {
  readonly source: Source
  readonly question: Question
  readonly summary: Summary | undefined
  readonly workshop: Workshop | undefined
}

/** A request body of more characters than this goes into a file. */
const INLINE_CHARACTERS = 2_000

/** The same question to the API and to the command line, ready to take away. */
export function Command({ source, question, summary, workshop }: CommandProps): ReactElement {
  const [way, setWay] = useState<'curl' | 'local'>('curl')
  const origin = useOrigin()
  const keyed = question.mode === 'rows' && question.options.fuzzy
  const inline = inlineBody(source, question)
  const tooLarge = summary?.requestBytes === null
  const curl = curlRequest(`${origin}/api/dedupe`, inline ?? '@request.json', keyed)
  const command = way === 'curl' ? curl : localCommand(question, source.name ?? FILE_NAMES[question.mode])

  return (
    <figure className="code code-wrap" aria-label="The same elsewhere">
      <Tabs
        label="The same elsewhere"
        tabs={[
          { name: 'curl', title: 'curl' },
          { name: 'local', title: 'Command line' },
        ]}
        current={way}
        onChoose={setWay}
        barClass="code-head"
        aside={
          <span className="row">
            {way === 'curl' && inline === undefined && !tooLarge && (
              <Button
                look="quiet"
                small
                disabled={!summary || !workshop}
                onClick={async () => workshop && save(await workshop.file('request'), 'request.json')}
              >
                Download request.json
              </Button>
            )}
            <CopyButton text={command} what="command" disabled={way === 'curl' && tooLarge} />
          </span>
        }
      >
        {way === 'curl' && tooLarge ? (
          <p className="code-note">
            This list is over {PLANS.pro.bodyCap}, more than one request may hold. The command line takes it as it is.
          </p>
        ) : (
          <Code code={command} />
        )}
        <p className="code-note">
          {way === 'curl' ? priceOf(summary, keyed) : 'Runs on your machine; no limit, no key.'}
        </p>
      </Tabs>
    </figure>
  )
}

const FILE_NAMES = { lines: 'list.txt', rows: 'list.csv', json: 'list.json' } as const

function inlineBody({ content }: Source, question: Question): string | undefined {
  if (typeof content !== 'string' || content.length > INLINE_CHARACTERS) return undefined
  const body = requestBody(content, question)
  return body.length > INLINE_CHARACTERS ? undefined : body
}

/** What the request costs, and the smallest plan that takes it. */
function priceOf(summary: Summary | undefined, keyed: boolean): string {
  if (!summary || summary.requestBytes === null) return '\u00a0'
  const bytes = summary.requestBytes
  const units = unitsOf(summary.count, bytes)
  const names: readonly PlanName[] = keyed ? ['free', 'starter'] : ['keyless', 'free', 'starter']
  const plan = names.map((name) => PLANS[name]).find((each) => units <= each.unitsPerRequest && bytes <= each.bodyBytes)
  const cost = `${units.toLocaleString('en-US')} ${units === 1 ? 'unit' : 'units'}`
  if (!plan) return `${cost}: more than one request may cost. Split the list, or use the command line.`
  return plan.name === 'keyless'
    ? `Costs ${cost}; no key needed.`
    : `Costs ${cost}; needs a key, plan ${plan.title} or larger.`
}
