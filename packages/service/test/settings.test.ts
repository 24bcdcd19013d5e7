import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../../../tests/support/server.ts'
import { COMMAND_DOCUMENTATION } from '../src/operator/documentation.ts'

const read = (file: string) => readFileSync(join(REPOSITORY, file), 'utf8')

const SETTINGS = [...read('packages/service/src/config.ts').matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name)

test.each([
  {
    where: 'the help of serve',
    names: COMMAND_DOCUMENTATION.serve.environment.flatMap(({ name }) => name.split(', ')),
  },
  {
    where: 'docs/operate.md',
    names: [...read('docs/operate.md').matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) /gm)].flatMap(([, cell = '']) =>
      cell.replaceAll('`', '').split(', '),
    ),
  },
])('$where has every setting, and no other', ({ names }) => {
  expect(SETTINGS.length).toBeGreaterThan(20)
  expect(names.toSorted()).toEqual(SETTINGS.toSorted())
})
