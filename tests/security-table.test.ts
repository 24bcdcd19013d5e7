import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY } from './support/server.ts'

const read = (file: string) => readFileSync(join(REPOSITORY, file), 'utf8')

/** The tests that `SECURITY.md` refers to: a file and part of a title in it. */
const NAMED = [...read('SECURITY.md').matchAll(/`([^`]+\.test\.ts)` "([^"]+)"/g)].map(([, file = '', title = '']) => ({
  file,
  title,
}))

test('SECURITY.md names a test in every row', () => {
  const rows = read('SECURITY.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
  expect(rows.length).toBeGreaterThan(20)
  for (const row of rows) expect(row).toMatch(/\.test\.ts` "[^"]+" \|$/)
})

test.each(NAMED)('$file has a test "$title"', ({ file, title }) => {
  const titles = [...read(file).matchAll(/\b(?:test|describe)\w*(?:\.\w+)*(?:\([^)]*\))?\(\s*[`'"](.*)[`'"],/g)]
  const names = [...read(file).matchAll(/\bname: [`'"](.*?)[`'"],/g)]
  expect([...titles, ...names].some(([, found]) => found?.includes(title))).toBe(true)
})
