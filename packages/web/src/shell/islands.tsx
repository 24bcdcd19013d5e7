import type { ReactElement, ReactNode } from 'preact/compat'
import { hydrateRoot } from 'preact/compat/client'
import { IdPrefix } from '../design/index.ts'
import { Origin } from './origin.ts'

/*
 * Pages come as finished HTML. The parts that react to their readers are islands in it, and a page's script brings
 * them to life one at a time, so that no task is long enough to be felt.
 */

/** What an island needs around it, in the server's rendering and in the browser alike. */
export function IslandRoot(props: { name: string; origin: string; children: ReactNode }): ReactElement {
  return (
    <Origin.Provider value={props.origin}>
      <IdPrefix.Provider value={props.name}>{props.children}</IdPrefix.Provider>
    </Origin.Provider>
  )
}

/**
 * Hydrates every island of a page, each in an idle moment of its own.
 * @param islands what stands in an island, by the first word of its name; the rest of the name is handed on
 */
export async function wake(islands: { readonly [kind: string]: (rest: string, element: HTMLElement) => ReactElement }) {
  const origin = document.body.dataset.origin ?? location.origin
  for (const element of document.querySelectorAll<HTMLElement>('[data-island]')) {
    const name = element.dataset.island ?? ''
    const [kind = '', rest = ''] = name.split(':')
    const make = islands[kind]
    if (!make) continue
    await idle()
    hydrateRoot(
      element,
      <IslandRoot name={name} origin={origin}>
        {make(rest, element)}
      </IslandRoot>,
    )
  }
  document.body.dataset.awake = ''
}

/** A moment in which the browser has nothing better to do, and not much later than now. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 100 })
    else setTimeout(resolve)
  })
}
