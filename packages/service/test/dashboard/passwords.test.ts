import { describe, expect, test } from 'vitest'
import { isCommonPassword } from '../../src/dashboard/passwords.ts'

describe('passwords that guessers try first', () => {
  test.each([
    { why: 'a common one', password: 'password' },
    { why: 'a common one with a digit', password: 'password1' },
    { why: 'a common one in capitals', password: 'PASSWORD' },
    { why: 'a common one with letters written as digits', password: 'Passw0rd' },
    { why: 'a row of keys', password: 'qwertyuiop' },
    { why: 'one character over and over', password: 'zzzzzzzzzzzz' },
    { why: 'one group over and over', password: '12341234' },
    { why: 'the alphabet', password: 'abcdefghijkl' },
    { why: 'digits backwards', password: '87654321' },
    { why: 'the person’s own address', password: 'Ann.Lee@example.com' },
    { why: 'the first part of it', password: 'ann.lee' },
  ])('$why: $password', ({ password }) => {
    expect(isCommonPassword(password, 'ann.lee@example.com')).toBe(true)
  })

  test.each([
    'correct horse battery',
    'aardvark-7 under a tree',
    'ein Satz mit Wörtern',
    'v8$Qm2!x',
    '猫が好きです、とても',
  ])('not %s', (password) => {
    expect(isCommonPassword(password, 'ann.lee@example.com')).toBe(false)
  })
})
