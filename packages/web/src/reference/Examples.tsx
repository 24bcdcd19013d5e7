import { type ReactElement, useState } from 'preact/compat'
import { Code, CodeBlock, CopyButton, Tabs } from '../design/index.ts'
import { callOf, examplesOf, LANGUAGES, type Language } from '../examples/examples.ts'
import { useOrigin } from '../shell/origin.ts'
import { useExchange } from './useExchange.ts'

/** Example requests with their exact answers, one at a time, in every language that can express them. */
export function Examples({ path }: { readonly path: string }): ReactElement | null {
  const { exchanges, current, choose } = useExchange(path)
  const [language, setLanguage] = useState<Language>('curl')
  const origin = useOrigin()
  if (!current) return null
  const examples = examplesOf(origin, callOf(current.request))
  const example = examples.find((each) => each.language === language)
  return (
    <div className="stack">
      <figure className="code code-wrap" aria-label="Request">
        <Tabs
          label="Examples"
          tabs={exchanges.map(({ name }) => ({ name, title: name }))}
          current={current.name}
          onChoose={choose}
          barClass="code-head"
          aside={<CopyButton text={example?.code ?? ''} what="request" />}
        >
          <Tabs
            label="Language"
            tabs={examples.map(({ language: name }) => ({ name, title: LANGUAGES[name] }))}
            current={language}
            onChoose={setLanguage}
            barClass="code-head"
          >
            <Code code={example?.code ?? ''} />
            <p className="code-note">{example?.needs}</p>
          </Tabs>
        </Tabs>
      </figure>
      <CodeBlock title="Answer, 200" code={JSON.stringify(current.answer, null, 2)} json />
    </div>
  )
}
