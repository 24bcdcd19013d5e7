import { describe, expect, test } from 'vitest'
import { isCommonPassword } from '../../src/dashboard/passwords.ts'

describe('passwords that attackers try first', () => {
  test.each([
    { why: 'a common one', password: 'password' },
    { why: 'a common one with a digit', password: 'password1' },
    { why: 'a common one in capitals', password: 'PASSWORD' },
    { why: 'a common one with letters written as digits', password: 'Passw0rd' },
    { why: 'a row of the keyboard', password: 'qwertyuiop' },
    { why: 'a repeated character', password: 'zzzzzzzzzzzz' },
    { why: 'a repeated group', password: '12341234' },
    { why: 'the alphabet', password: 'abcdefghijkl' },
    { why: 'digits backwards', password: '87654321' },
    { why: 'the user’s own address', password: 'Ann.Lee@example.com' },
    { why: 'the local part of the address', password: 'ann.lee' },
  ])('$why: $password', ({ password }) => {
    expect(isCommonPassword(password, 'ann.lee@example.com')).toBe(true)
  })

  test.each([
    'correct horse battery',
    'aardvark-7 under a tree',
    'ein Satz mit Wörtern',
    'v8$Qm2!x',
    '猫が好きです、とても',
  ])('%s is not one', (password) => {
    expect(isCommonPassword(password, 'ann.lee@example.com')).toBe(false)
  })
})
