import type { ReactElement } from 'preact/compat'
import recipes from '../../../../docs/recipes.md?raw'
import { Contents } from '../reference/Contents.tsx'
import { Island } from '../shell/Island.tsx'
import { anchorOf, headingsOf, Markdown } from '../shell/Markdown.tsx'

/** How to use the service from tools that people already have; the same document as in the repository. */
export function RecipesPage(): ReactElement {
  return (
    <div className="frame reference">
      <Island name="contents" className="ref-nav">
        <Contents entries={headingsOf(recipes, 2).map((title) => ({ id: anchorOf(title), title }))} />
      </Island>
      <div className="ref-content recipes">
        <Markdown text={recipes} />
      </div>
    </div>
  )
}
