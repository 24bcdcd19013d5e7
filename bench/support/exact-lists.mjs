/*
 * Lists for exact deduplication, the same in every run: half of the entries are duplicates of an earlier one. Names and
 * towns come from many countries: `mixed` lists use the local spelling, in UTF-8 of one to three bytes per character;
 * `ascii` lists have the same entries without diacritics.
 */

function numbers(seed) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const GIVEN = (
  'Ada Grace Alan Edsger Barbara Donald Linus Margaret Tony John Leslie Ken José Zoë Björn Łukasz Aylin Mónica ' +
  'Søren Jürgen Chloé Ana Wei Priya Omar Nguyễn Fatima Noah Emma Liam'
).split(' ')
const FAMILY = (
  'Lovelace Hopper Turing Dijkstra Liskov Knuth Torvalds Hamilton Hoare McCarthy Lamport Thompson García Müller ' +
  'Strauß Kowalski Çelik Nuñez Kierkegård Weiß Dupont Silva Zhang Sharma Haddad Trần Khan Smith Jones Brown Wójcik'
).split(' ')
const STREETS = [
  'High Street',
  'Church Road',
  'Hauptstraße',
  'Rue de la République',
  'Calle Mayor',
  'Park Avenue',
  'Main Street',
]
const TOWNS =
  'London Paris Köln Málaga Kraków Zürich Austin Boston Leeds Lyon Porto Århus Izmir Delhi Osaka Hanoi Denver Oslo Bern'.split(
    ' ',
  )

const asIs = (text) => text
const LETTERS = { ß: 'ss', Ł: 'L', ł: 'l', ø: 'o' }
/** Without diacritics, pure ASCII. */
const withoutMarks = (text) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^\0-\x7f]/g, (letter) => LETTERS[letter])

/** Functions that make the parts of an entry from its number. */
function partsOf(spell) {
  const pools = [GIVEN, FAMILY, STREETS, TOWNS].map((pool) => pool.map(spell))
  const [given, family, streets, towns] = pools.map((pool) => (i) => pool[i % pool.length])
  const mail = FAMILY.map(withoutMarks)
  return {
    given: (i) => given(i * 7),
    family: (i) => family(i * 11 + (i >> 5)),
    street: (i) => `${(i * 13) % 311} ${streets(i)}`,
    town: (i) => `${10_000 + ((i * 7_919) % 89_989)} ${towns(i * 3)}`,
    email: (i) => `${mail[i % mail.length]}.${i}@example${i % 97}.org`,
    phone: (i) => `+44 20 ${1_000_000 + ((i * 104_729) % 8_999_999)}`,
    day: (i) => `20${10 + (i % 15)}-${10 + (i % 3)}-${10 + (i % 19)}`,
  }
}

/** `count` entries drawn at random from half as many. */
function drawn(count, make) {
  const next = numbers(count)
  return Array.from({ length: count }, () => make(next(Math.ceil(count / 2))))
}

function listsOf(spell) {
  const { given, family, street, town, email, phone, day } = partsOf(spell)
  const line = (i) => `${given(i)} ${family(i)}, ${street(i)}, ${town(i)}, ${email(i)}, ${phone(i)}, ${day(i)}`
  const row = (i) => `${i},"${family(i)}, ${given(i)}",${street(i)},${town(i)},${email(i)},${phone(i)},${day(i)}`
  const item = (i) =>
    JSON.stringify({
      id: i,
      name: `${given(i)} ${family(i)}`,
      town: town(i),
      email: email(i),
      price: (i % 9_973) / 100,
      active: i % 2 === 0,
    })
  return {
    line,
    text: (count) => drawn(count, line).join('\n'),
    csv: (count) => ['id,name,street,town,email,phone,since', ...drawn(count, row)].join('\n'),
    array: (count) => `[${drawn(count, item).join(',')}]`,
  }
}

export const ascii = listsOf(withoutMarks)
export const mixed = listsOf(asIs)
export const smallNumbers = (count) => `[${drawn(count, (i) => String(i * 7_919))}]`

const escaped = (line) => [...line].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

const body = (mode, data, options = {}) => `{"mode":"${mode}","options":${JSON.stringify(options)},"data":${data}}`

/** Just below 5 MB, and about as many entries as a request may have. */
const ENTRIES = 48_000
const ITEMS = 42_000
const linesBody = ({ text }, options) => body('lines', JSON.stringify(text(ENTRIES)), options)
const rowsBody = ({ csv }, options) => body('rows', JSON.stringify(csv(ENTRIES)), options)
const itemsBody = ({ array }, options) => body('json', array(ITEMS), options)
const COMPARED_LOOSELY = { trim: true, ignoreCase: true }
const BY_MAIL = { keyColumns: [4] }
const BY_MAIL_WITHOUT_CASE = { ...BY_MAIL, caseSensitive: false }

/** Bodies of nearly 5 MB. */
export const BODIES = {
  lines: () => linesBody(ascii),
  'lines, mixed': () => linesBody(mixed),
  'lines, trim and ignoreCase': () => linesBody(ascii, COMPARED_LOOSELY),
  'lines, trim and ignoreCase, mixed': () => linesBody(mixed, COMPARED_LOOSELY),
  'lines spelled in \\uXXXX': () => body('lines', `"${drawn(8_300, (i) => escaped(mixed.line(i))).join('\\n')}"`),
  'lines, all distinct': () =>
    body('lines', JSON.stringify(Array.from({ length: ENTRIES }, (_, i) => ascii.line(i)).join('\n'))),
  'rows, whole': () => rowsBody(ascii),
  'rows, whole, mixed': () => rowsBody(mixed),
  'rows by key': () => rowsBody(ascii, BY_MAIL),
  'rows by key, mixed': () => rowsBody(mixed, BY_MAIL),
  'rows by key, without case': () => rowsBody(ascii, BY_MAIL_WITHOUT_CASE),
  'JSON items': () => itemsBody(ascii),
  'JSON items, mixed': () => itemsBody(mixed),
  'JSON items by key': () => itemsBody(ascii, { key: 'id' }),
}
