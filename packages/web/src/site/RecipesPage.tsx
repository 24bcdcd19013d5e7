import type { ReactElement } from 'preact/compat'
import recipes from '../../../../docs/recipes.md?raw'
import { anchorOf, headingsOf, Markdown } from './Markdown.tsx'

/** How to use the service from tools that people have already; the same document as in the repository. */
export function RecipesPage(): ReactElement {
  return (
    <div className="frame reference">
      <nav className="ref-nav" aria-label="On this page">
        <ul>
          {headingsOf(recipes, 2).map((title) => (
            <li key={title}>
              <a href={`#${anchorOf(title)}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="ref-content recipes">
        <Markdown text={recipes} />
      </div>
    </div>
  )
}
