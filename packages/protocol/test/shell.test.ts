import { expect, test } from 'vitest'
import { shellWord } from '../src/shell.ts'

test.each([
  ['list.csv', 'list.csv'],
  ['http://localhost:8080/api', 'http://localhost:8080/api'],
  ['=list', "'=list'"],
  ["it's", "'it'\\''s'"],
  ['', "''"],
  [';', "';'"],
])('%s as a word for a shell is %s', (text, word) => expect(shellWord(text)).toBe(word))
