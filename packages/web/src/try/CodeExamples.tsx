import {
  LARGEST_BODY_BYTES,
  modeSpec,
  PLANS,
  smallestPlan,
  spokenOptions,
  unitsOf,
  withNoun,
} from '@keepfirst/protocol'
import { type ReactElement, useState } from 'preact/compat'
import { Button, Code, CopyButton, Tabs } from '../design/index.ts'
import {
  type ExampleCall,
  examplesOf,
  LANGUAGES,
  type Language,
  type ListData,
  REQUEST_FILE,
} from '../examples/examples.ts'
import { useOrigin } from '../shell/origin.ts'
import type { Summary, Task } from './messages.ts'
import { isFuzzy } from './question.ts'
import { saveFrom } from './save.ts'
import type { WorkerClient } from './workerClient.ts'

interface CodeExamplesProps {
  readonly task: Task
  /** Name of the file that the list came from. */
  readonly name: string | undefined
  /** The latest result, and whether it matches the current input. */
  readonly summary: Summary | undefined
  readonly isCurrent: boolean
  readonly client: WorkerClient | undefined
}

/** The same question for the API in several languages and for the command line, ready to copy. */
export function CodeExamples({ task, name, summary, isCurrent, client }: CodeExamplesProps): ReactElement {
  const [language, setLanguage] = useState<Language>('curl')
  const origin = useOrigin()
  const examples = examplesIn(origin, task, name, summary)
  const example = examples.find((each) => each.language === language)
  const request = summary?.request
  const obstacle = typeof request === 'string' && language !== 'local' ? request : undefined
  const code = obstacle ? '' : (example?.code ?? '')
  return (
    <figure className="code code-wrap" aria-label="Run this elsewhere">
      <Tabs
        label="Run this elsewhere"
        tabs={examples.map((each) => ({ name: each.language, title: LANGUAGES[each.language] }))}
        current={language}
        onChoose={setLanguage}
        barClass="code-head"
        aside={
          <span className="row">
            {code.includes(REQUEST_FILE) && (
              <Button
                variant="quiet"
                small
                disabled={!isCurrent}
                onClick={() => client && saveFrom(client, 'request', REQUEST_FILE)}
              >
                Download {REQUEST_FILE}
              </Button>
            )}
            <CopyButton text={code} what="example" disabled={obstacle !== undefined} />
          </span>
        }
      >
        {obstacle ? (
          <p className="code-note">
            {obstacle === 'too large'
              ? `This list is over ${largestBody()}, more than one request may have. The command line accepts it as it is.`
              : 'This list is not UTF-8, and a request has to be. The command line accepts it as it is.'}
          </p>
        ) : (
          <Code code={code} />
        )}
        <p className="code-note">
          {language !== 'local' && isCurrent && priceOf(summary, isFuzzy(task.question))} {example?.needs}
        </p>
      </Tabs>
    </figure>
  )
}

function examplesIn(origin: string, task: Task, name: string | undefined, summary: Summary | undefined) {
  const { question } = task
  const fromFile = dataInFile(task, name, summary?.isJsonLines ?? false)
  const text = typeof summary?.request === 'object' ? summary.request.data : undefined
  const call: ExampleCall = {
    mode: question.mode,
    options: spokenOptions(question.mode, question.options),
    keyed: needsKey(summary, isFuzzy(question)),
    data: text === undefined ? fromFile : { from: 'example', text },
  }
  // An opened file is on disk, where the command line can find it.
  const examples = examplesOf(origin, call)
  if (name === undefined) return examples
  const onDisk = examplesOf(origin, { ...call, data: fromFile })
  return examples.map((each, at) => (each.language === 'local' ? (onDisk[at] ?? each) : each))
}

function dataInFile({ question, separator }: Task, given: string | undefined, isJsonLines: boolean): ListData {
  const name = given ?? `list.${isJsonLines ? 'jsonl' : modeSpec(question.mode).extension}`
  if (question.mode === 'rows' && separator !== ',') return { from: 'request', name, separator }
  return { from: 'file', name, isJsonLines }
}

function largestBody(): string {
  return Object.values(PLANS).find(({ bodyBytes }) => bodyBytes === LARGEST_BODY_BYTES)?.bodyCap ?? ''
}

/** Whether only a plan with a key accepts the request. */
function needsKey(summary: Summary | undefined, isAlways: boolean): boolean {
  if (typeof summary?.request !== 'object') return isAlways
  const { bytes, count } = summary.request
  return smallestPlan({ units: unitsOf(count, bytes), bodyBytes: bytes, keyed: isAlways })?.name !== 'keyless'
}

/** What the request costs, and the smallest plan that accepts it. */
function priceOf(summary: Summary | undefined, keyed: boolean): string {
  if (typeof summary?.request !== 'object') return ''
  const { bytes, count } = summary.request
  const units = unitsOf(count, bytes)
  const plan = smallestPlan({ units, bodyBytes: bytes, keyed })
  const cost = withNoun(units, 'unit')
  if (!plan) return `${cost}: more than any plan allows per request. Split the list, or use the command line.`
  return plan.name === 'keyless'
    ? `Costs ${cost}; no key needed.`
    : `Costs ${cost}; needs a key, plan ${plan.title} or larger.`
}
