import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../../../tests/support/server.ts'
import { readConfig } from '../src/config.ts'
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

test.each([
  { given: 'https://dedupe.example.com', is: 'https://dedupe.example.com' },
  { given: 'https://dedupe.example.com/', is: 'https://dedupe.example.com' },
  { given: 'https://example.com/dedupe//', is: 'https://example.com/dedupe' },
  { given: 'HTTPS://Dedupe.Example.COM:443', is: 'https://dedupe.example.com' },
  { given: ' https://dedupe.example.com\t', is: 'https://dedupe.example.com' },
  { given: 'https:dedupe.example.com', is: 'https://dedupe.example.com' },
  { given: 'https:\\\\dedupe.example.com\\', is: 'https://dedupe.example.com' },
  { given: 'https://büro.example/', is: 'https://xn--bro-hoa.example' },
])('BASE_URL=$given is $is', ({ given, is }) => {
  expect(readConfig({ BASE_URL: given }).baseUrl).toBe(is)
})
