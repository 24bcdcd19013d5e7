import { Contents } from '../reference/Contents.tsx'
import { copyIsland } from '../shell/copy.tsx'
import { hydrateIslands } from '../shell/islands.tsx'

/** The recipes, taken from the page's headings. */
const recipes = [...document.querySelectorAll('main h2[id]')].map(({ id, textContent }) => ({
  id,
  title: textContent ?? '',
}))

hydrateIslands({ copy: copyIsland, contents: () => <Contents entries={recipes} /> })
