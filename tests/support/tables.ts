import {
  API_HEADERS,
  describeApi,
  describeErrors,
  MODES,
  messageTemplate,
  modeSpec,
  type OptionSpec,
  optionsOf,
  PLAN_FACTS,
  PLANS,
  planFacts,
  type Schema,
  unreachable,
} from '@keepfirst/protocol'

import { figureOf, figuresOf } from './figures.ts'

/*
 * Tables that documents share with the code: each is enclosed by the comments `<!-- table NAME -->` and `<!-- /table
 * -->` and written by `npm run tables`. Figures come from `bench/figures`, which the benchmarks write, and are enclosed
 * by `<!-- figures BENCHMARK: TABLE -->` and `<!-- /figures -->`.
 */

const TABLES: { readonly [name: string]: (of: string) => string } = {
  plans: () =>
    table(
      ['Plan', ...Object.values(PLAN_FACTS)],
      Object.values(PLANS).map((plan) => [plan.title, ...Object.values(planFacts(plan))]),
    ),
  modes: () =>
    table(
      ['`mode`', '`data`', '', '`result`'],
      MODES.map((mode) => {
        const { data, result } = modeSpec(mode)
        return [`\`${mode}\``, data.type, data.description, result.description]
      }),
    ),
  options: (of) =>
    table(
      ['Option', 'Default', 'Type', 'What it does'],
      MODES.filter((mode) => mode === of)
        .flatMap(optionsOf)
        .map(([name, option]) => [
          `\`${name}\``,
          `\`${JSON.stringify(option.default)}\``,
          typeOfOption(option),
          option.description,
        ]),
    ),
  members: (of) =>
    table(
      ['Member', 'Type', 'Meaning'],
      Object.entries(describeApi('').components.schemas[of]?.properties ?? {}).map(([name, schema]) => [
        `\`${name}\``,
        typeOf(schema),
        schema.description ?? '',
      ]),
    ),
  headers: () =>
    table(
      ['Header', 'Value'],
      Object.entries(API_HEADERS).map(([name, value]) => [`\`${name}\``, `\`${value}\``]),
    ),
  fuzzyFigures: () => {
    const persons = (tool: string, rows: string, threshold: string) =>
      figureOf('fuzzy', 'persons', [tool, rows, threshold], 'CPU s')
    const everyPair = 'brute force, fastest-levenshtein'
    const grown = figureOf('fuzzy', 'persons, 0.9', ['50,000'], 'brute force, CPU s')
    const missed = figureOf('fuzzy', 'persons', ['n-gram blocking', '10,000', '0.6'], 'duplicates missed')
    const worst = '50,000 × 20 random letters'
    const few = persons('Keepfirst', '10,000', '0.9')
    return table(
      ['CPU seconds', 'Keepfirst', 'every pair, fastest-levenshtein', 'blocking by words and trigrams'],
      [
        [
          '10,000 persons at 0.9',
          few,
          persons(everyPair, '10,000', '0.9'),
          persons('n-gram blocking', '10,000', '0.9'),
        ],
        [
          '50,000 persons at 0.9',
          persons('Keepfirst', '50,000', '0.9'),
          grown,
          persons('n-gram blocking', '50,000', '0.9'),
        ],
        [
          '10,000 persons at 0.6',
          persons('Keepfirst', '10,000', '0.6'),
          '',
          `${persons('n-gram blocking', '10,000', '0.6')}, and misses ${missed} duplicates`,
        ],
        [`${worst} at 0.5, where we are slow`, figureOf('fuzzy', 'rows', [worst, '0.5'], 'CPU s'), '', ''],
      ],
    )
  },
  linesFigures: () => {
    const tools = {
      Keepfirst: '`keepfirst lines`',
      'mawk `!s[$0]++`': "`mawk '!s[$0]++'`",
      gawk: "`gawk '!s[$0]++'`",
      'DuckDB, order kept': '`duckdb: QUALIFY row_number()`',
      '`sort -u`, order lost': '`sort -u`',
    }
    const { rows } = figuresOf('local', 'lines')
    const installed = Object.entries(tools).filter(([, tool]) => rows.some(([name]) => name === tool))
    return table(
      ['', ...installed.map(([title]) => title)],
      ['seconds', 'CPU seconds', 'bytes per distinct key'].map((column) => [
        column,
        // `sort` needs memory for the lines, however many are distinct.
        ...installed.map(([, tool]) => figureOf('local', 'lines', [tool], column).replace(/^0$/, '')),
      ]),
    )
  },
  errors: () =>
    table(
      ['Status', '`error`', 'Beside it', 'From', 'When, and what to do'],
      describeErrors('{base_url}').map((error) => {
        const { error: _, ...members } = error.refusal.body
        return [
          String(error.refusal.status),
          `\`${messageTemplate(error)}\``,
          Object.keys(members)
            .map((name) => `\`${name}\``)
            .join(', '),
          error.on.length > 1 ? 'both' : (error.on[0] ?? ''),
          `${error.when} ${error.cure}`.trim(),
        ]
      }),
    ),
}

/**
 * A document with every table as the code defines it now, and every figure as last saved by its benchmark.
 * @throws Error when the document names an unknown table
 */
export function withTables(markdown: string): string {
  const written = markdown.replace(FIGURES, (_, start: string, bench: string, of: string, end: string) => {
    const { machine, titles, rows } = figuresOf(bench, of)
    return `${start}${machine}:\n\n${table(titles, rows)}\n${end}`
  })
  return written.replace(
    /(<!-- table (\w+)(?: (\w+))? -->\n).*?(<!-- \/table -->)/gs,
    (_, start: string, name: string, of: string, end: string) => {
      const make = TABLES[name]
      if (!make) throw new Error(`there is no table ${name}`)
      return `${start}${make(of)}\n${end}`
    },
  )
}

const FIGURES = /(<!-- figures ([a-z-]+): (.+?) -->\n).*?(<!-- \/figures -->)/gs

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}

function typeOfOption(option: OptionSpec): string {
  switch (option.type) {
    case 'boolean':
      return 'boolean'
    case 'path':
      return 'string'
    case 'number':
      return `number, ${option.minimum} to ${option.maximum} inclusive`
    case 'columns':
      return `array of integers, each ${option.minimum} or more`
    default:
      return unreachable(option)
  }
}

function typeOf({ type, enum: choices, format }: Schema): string {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(', ')
  return [[type ?? 'any'].flat().join(' or '), ...(format ? [format] : [])].join(', ')
}
