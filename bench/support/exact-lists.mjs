/* Lists for exact work, the same at every run: half of their entries are duplicates of an earlier one. */

function numbers(seed) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const NAMES = 'Ada Grace Alan Edsger Barbara Donald Linus Margaret Tony John Leslie Ken'.split(' ')

/** A line of some 100 characters. */
function person(i) {
  return `${NAMES[i % 12]} ${NAMES[(i * 7) % 12]}son, ${i} Street No. ${i % 311}, Town ${(i * 7_919) % 1_000_003}, person.${i}@example${i % 97}.org`
}

function row(i) {
  return `${i},"${NAMES[i % 12]}, ""${NAMES[(i * 7) % 12]}""",${(i * 7_919) % 1_000_003} Street,Town ${i % 53},person.${i}@example${i % 97}.org`
}

function item(i) {
  return JSON.stringify({ id: i, name: person(i).slice(0, 40), tags: ['a', 'b'], price: i / 100, active: i % 2 === 0 })
}

/** So many entries out of half as many, in an order by chance. */
function drawn(count, make) {
  const next = numbers(count)
  return Array.from({ length: count }, () => make(next(Math.ceil(count / 2))))
}

export const text = (count) => drawn(count, person).join('\n')
export const csv = (count) => ['id,name,street,town,email', ...drawn(count, row)].join('\n')
export const array = (count) => `[${drawn(count, item).join(',')}]`
export const smallNumbers = (count) => `[${drawn(count, (i) => String(i * 7_919))}]`

const escaped = (line) => [...line].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

const body = (mode, data, options = {}) => `{"mode":"${mode}","options":${JSON.stringify(options)},"data":${data}}`
const ROWS = 45_000

/** Bodies of up to 5 MB, with as many rows as a request may have. */
export const BODIES = {
  lines: () => body('lines', JSON.stringify(text(ROWS))),
  'lines, trim and ignoreCase': () => body('lines', JSON.stringify(text(ROWS)), { trim: true, ignoreCase: true }),
  'lines spelled in \\uXXXX': () => body('lines', `"${drawn(8_000, (i) => escaped(person(i))).join('\\n')}"`),
  'lines, all distinct': () =>
    body('lines', JSON.stringify(Array.from({ length: ROWS }, (_, i) => person(i)).join('\n'))),
  'rows, whole': () => body('rows', JSON.stringify(csv(ROWS))),
  'rows by key': () => body('rows', JSON.stringify(csv(ROWS)), { keyColumns: [4] }),
  'rows by key, without case': () => body('rows', JSON.stringify(csv(ROWS)), { keyColumns: [4], caseSensitive: false }),
  'JSON items': () => body('json', array(ROWS)),
  'JSON items by key': () => body('json', array(ROWS), { key: 'id' }),
}
