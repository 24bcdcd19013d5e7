import { PLAN_FACTS, PLANS, planFacts } from '@keepfirst/protocol'

/*
 * Tables that documents share with the code: each stands between two comments, `<!-- table NAME -->` and
 * `<!-- /table -->`, and is written there by `npm run tables`.
 */

const TABLES: { readonly [name: string]: () => string } = {
  plans: () =>
    table(
      ['Plan', ...Object.values(PLAN_FACTS)],
      Object.values(PLANS).map((plan) => [plan.title, ...Object.values(planFacts(plan))]),
    ),
}

/** A document with every table as the code has it now. Throws on a name that no table has. */
export function withTables(markdown: string): string {
  return markdown.replace(/(<!-- table (.*?) -->\n).*?(<!-- \/table -->)/gs, (_, start, name, end) => {
    const make = TABLES[name]
    if (!make) throw new Error(`there is no table ${name}`)
    return `${start}${make()}\n${end}`
  })
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}
