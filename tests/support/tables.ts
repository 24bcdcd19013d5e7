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

/*
 * Tables that documents share with the code: each stands between two comments, `<!-- table NAME -->` and
 * `<!-- /table -->`, and is written there by `npm run tables`.
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

/** A document with every table as the code has it now. Throws on a name that no table has. */
export function withTables(markdown: string): string {
  return markdown.replace(
    /(<!-- table (\w+)(?: (\w+))? -->\n).*?(<!-- \/table -->)/gs,
    (_, start: string, name: string, of: string, end: string) => {
      const make = TABLES[name]
      if (!make) throw new Error(`there is no table ${name}`)
      return `${start}${make(of)}\n${end}`
    },
  )
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}

function typeOfOption(option: OptionSpec): string {
  switch (option.type) {
    case 'boolean':
    case 'string':
      return option.type
    case 'number':
      return `number, ${option.minimum} to ${option.maximum} inclusive`
    case 'integers':
      return `array of integers, each ${option.minimum} or more`
    default:
      return unreachable(option)
  }
}

function typeOf({ type, enum: choices, format }: Schema): string {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(', ')
  return [[type ?? 'any'].flat().join(' or '), ...(format ? [format] : [])].join(', ')
}
