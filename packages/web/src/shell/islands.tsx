import type { ReactElement, ReactNode } from 'preact/compat'
import { hydrateRoot } from 'preact/compat/client'
import { IdPrefix } from '../design/index.ts'
import { keepFocus } from './keepFocus.ts'
import { Origin } from './origin.ts'

/*
 * Pages are delivered as finished HTML. Their interactive parts are islands, which the page's script hydrates one at a
 * time, so that no task is long enough to be noticed.
 */

/** What an island needs around it, both on the server and in the browser. */
export function IslandRoot(props: { name: string; origin: string; children: ReactNode }): ReactElement {
  return (
    <Origin.Provider value={props.origin}>
      <IdPrefix.Provider value={props.name}>{props.children}</IdPrefix.Provider>
    </Origin.Provider>
  )
}

/**
 * Hydrates every island of a page, each in its own task.
 * @param islands the content of each kind of island; the rest of the name is passed on
 */
export async function hydrateIslands(islands: {
  readonly [kind: string]: (rest: string, element: HTMLElement) => ReactElement
}) {
  const origin = document.body.dataset.origin ?? location.origin
  for (const element of document.querySelectorAll<HTMLElement>('[data-island]')) {
    const name = element.dataset.island ?? ''
    const [kind = '', rest = ''] = name.split(':')
    const make = islands[kind]
    if (!make) continue
    await yieldToBrowser()
    const enterAgain = enteredIn(element)
    hydrateRoot(
      element,
      <IslandRoot name={name} origin={origin}>
        {make(rest, element)}
      </IslandRoot>,
    )
    enterAgain()
  }
  keepFocus()
  document.body.dataset.hydrated = ''
}

/**
 * Hydration resets what users have entered before, while the script was loading.
 * @returns a function that enters it again
 */
function enteredIn(island: HTMLElement): () => void {
  const texts = [
    ...island.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('textarea, input:not([type=checkbox])'),
  ]
    .filter(({ value, defaultValue }) => value !== defaultValue)
    .map((control) => ({ control, value: control.value }))
  const checks = [...island.querySelectorAll<HTMLInputElement>('input[type=checkbox]')]
    .filter(({ checked, defaultChecked }) => checked !== defaultChecked)
    .map((control) => ({ control, checked: control.checked }))
  return () => {
    for (const { control, value } of texts) {
      control.value = value
      control.dispatchEvent(new Event('input', { bubbles: true }))
    }
    for (const { control, checked } of checks) {
      control.checked = !checked
      control.click()
    }
  }
}

/** Lets the browser paint and handle input before the next island. */
function yieldToBrowser(): Promise<unknown> {
  // Safari and Firefox before 142 have no `scheduler.yield`.
  if ('scheduler' in window && window.scheduler.yield) return window.scheduler.yield()
  return new Promise((resolve) => setTimeout(resolve))
}
