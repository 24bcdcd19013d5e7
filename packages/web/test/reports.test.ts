import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../tests/support/runs.ts'
import { readCsv } from '../../engine/test/reference/exact.ts'
import { dedupe } from '../src/try/engine.ts'
import { DEFAULTS, questionOf, type Separator } from '../src/try/question.ts'
import { requestFile } from '../src/try/reports.ts'
import { Run } from '../src/try/run.ts'

/** The list in the body of the request for an opened file. */
async function requestedData(mode: 'rows' | 'json', text: string, separator: Separator = ','): Promise<unknown> {
  const task = { listId: 1, content: text, form: 'file', question: questionOf(mode, DEFAULTS), separator } as const
  const run = await Run.of(task, await dedupe(task, () => {}), [])
  return JSON.parse(await (await requestFile(run)).text()).data
}

test('rows with another separator are the same rows in a request, wherever blank ones are', async () => {
  const cell = fc.array(fc.constantFrom('a', ',', ';', '"', '\n', '\r', '\ufeff', ' '), { maxLength: 3 })
  const cells = fc.array(
    cell.map((parts) => parts.join('')),
    { minLength: 1, maxLength: 3 },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(cells, { maxLength: 6 }), async (rows) => {
      const quoted = (text: string) => (text === '' ? '' : `"${text.replaceAll('"', '""')}"`)
      const file = rows.map((row) => `${row.map(quoted).join(';')}\n`).join('')
      expect(readCsv(String(await requestedData('rows', file, ';')))).toEqual(rows)
    }),
    { numRuns: runs(200), examples: [[[['a'], ['']]], [[['']]], [[[''], ['']]]] },
  )
})

test.each([
  { what: 'one per line', text: '{"a":1}\n\n{"a":[2]}\n' },
  { what: 'over several lines', text: '{\n  "a": 1\n}\r\n{"a":\n[2\n]}' },
  { what: 'after a byte-order mark', text: '\ufeff{"a":1}\n{"a":[2]}' },
  { what: 'in an array after a byte-order mark', text: '\ufeff [{"a":1},\n{"a":[2]}]\n' },
])('JSON values are an array in a request: $what', async ({ text }) =>
  expect(await requestedData('json', text)).toEqual([{ a: 1 }, { a: [2] }]),
)
