import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { REPOSITORY } from '../support/server.ts'

const read = (file: string) => readFileSync(join(REPOSITORY, file), 'utf8')

/** `2.1`, or the number of a section without clauses. */
const CLAUSES = clausesOf(read('docs/specification.md'))

function clausesOf(specification: string): string[] {
  const numbered = [...specification.matchAll(/^(?:###? |- \*\*)(\d(?:\.\d)?)/gm)].map(([, number = '']) => number)
  return numbered.filter((number) => number.includes('.') || !numbered.some((other) => other.startsWith(`${number}.`)))
}

/** Titles of tests that start with the numbers of clauses: `4.2`, `8.2 and 8.3`, `2.1 to 2.3`. */
const TITLE = /(?:\b(?:test|describe\w*)|[\])]) *\(\s*['"`](\d(?:\.\d)?(?:(?:,| and| to) \d\.\d)*) \S/g

function clausesNamed(title: string): string[] {
  const numbers = title.match(/\d(?:\.\d)?/g) ?? []
  if (!title.includes(' to ')) return numbers
  const [from = '', to = ''] = numbers
  return CLAUSES.slice(CLAUSES.indexOf(from), CLAUSES.indexOf(to) + 1)
}

describe('the specification and its tests', () => {
  const tests = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: REPOSITORY, encoding: 'utf8' }).trim().split('\n')
  const tested = new Set(
    tests.flatMap((file) => [...read(file).matchAll(TITLE)].flatMap(([, title = '']) => clausesNamed(title))),
  )

  test('the clauses are found', () => expect(CLAUSES.length).toBeGreaterThan(35))

  test.each(CLAUSES)('%s has a test with its number in the title', (clause) => {
    expect(tested.has(clause)).toBe(true)
  })

  test('no title has a number that is not in the specification', () => {
    expect([...tested].filter((number) => number.includes('.') && !CLAUSES.includes(number))).toEqual([])
  })
})
