import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalNumber } from '../../src/index.ts'
import { exactValue } from '../reference/exact.ts'

describe('numbers are reduced to their exact decimal value', () => {
  test.each([
    {
      name: 'nought has one form',
      numbers: ['0', '-0', '0.0', '-0.000', '0e5', '0E-400', '0e99999999999999999999'],
      form: '0',
    },
    { name: 'one', numbers: ['1', '1.0', '1e0', '10e-1', '0.1e1', '1E+0', '1e-0', '100e-2', '0.001e3'], form: '1' },
    { name: 'minus', numbers: ['-1.50', '-15e-1', '-0.15E+1'], form: '-1.5' },
    {
      name: 'beyond 2^53',
      numbers: ['9007199254740993', '9007199254740993.0', '9.007199254740993e15'],
      form: '9007199254740993',
    },
    { name: 'twenty-one digits', numbers: ['1e20', '100000000000000000000'], form: '100000000000000000000' },
    { name: 'more', numbers: ['1e21', '1000000000000000000000', '0.1e22'], form: '0.1e22' },
    {
      name: 'digits behind a long whole part',
      numbers: ['1234567890123456789012.5'],
      form: '0.12345678901234567890125e22',
    },
    { name: 'small', numbers: ['0.000001', '1e-6', '10E-7'], form: '0.000001' },
    { name: 'smaller', numbers: ['0.0000001', '1e-7', '0.00000010'], form: '0.1e-6' },
    { name: 'no double holds it', numbers: ['1e400', '10e399', '0.01e402', `1${'0'.repeat(400)}`], form: '0.1e401' },
    { name: 'nor this', numbers: ['1e-400', `0.${'0'.repeat(399)}1`], form: '0.1e-399' },
    {
      name: 'exponents beyond all numbers',
      numbers: ['1e99999999999999999999', '10e99999999999999999998', '0.1e100000000000000000000'],
      form: '0.1e100000000000000000000',
    },
    {
      name: 'and below',
      numbers: ['1e-99999999999999999999', '10e-100000000000000000000', '0.1e-99999999999999999998'],
      form: '0.1e-99999999999999999998',
    },
    { name: 'noughts in front of an exponent', numbers: ['1e0000000000000000000000005', '100000'], form: '100000' },
    {
      name: 'a carry through all its digits',
      numbers: ['1e999999999999999', '0.1e1000000000000000', '10e999999999999998'],
      form: '0.1e1000000000000000',
    },
    { name: 'and back', numbers: ['0.1e-999999999999999', '1e-1000000000000000'], form: '0.1e-999999999999999' },
  ])('$name: $form', ({ numbers, form }) => {
    for (const number of numbers) expect(canonicalNumber(number)).toBe(form)
  })
})

const digits = fc.stringMatching(/^[0-9]{1,8}$/)
const whole = fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,24}$/))
const spelled = fc
  .tuple(
    fc.constantFrom('', '-'),
    whole,
    fc.option(digits),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-', 'e-'), fc.nat(30))),
  )
  .map(
    ([sign, before, after, exponent]) =>
      `${sign}${before}${after === null ? '' : `.${after}`}${exponent?.join('') ?? ''}`,
  )

test('two numbers have one form exactly when their values are equal', () => {
  fc.assert(
    fc.property(spelled, spelled, (a, b) => {
      expect(canonicalNumber(a) === canonicalNumber(b)).toBe(exactValue(a) === exactValue(b))
      expect(exactValue(canonicalNumber(a))).toBe(exactValue(a))
    }),
    { numRuns: 5_000 },
  )
})

test('moving the point and the exponent against each other changes nothing, however long the exponent', () => {
  const long = fc.oneof(
    fc.stringMatching(/^[1-9][0-9]{14,20}$/),
    fc.constantFrom(`1${'0'.repeat(15)}`, '9'.repeat(15), '9'.repeat(30), `1${'0'.repeat(30)}`),
  )
  fc.assert(
    fc.property(long, fc.integer({ min: 1, max: 20 }), fc.constantFrom('', '-'), (exponent, shift, sign) => {
      const moved = BigInt(sign + exponent) - BigInt(shift)
      expect(canonicalNumber(`3${'0'.repeat(shift)}e${moved}`)).toBe(canonicalNumber(`3e${sign}${exponent}`))
    }),
    { numRuns: 2_000 },
  )
})

test('the form is its own form', () => {
  fc.assert(
    fc.property(spelled, (number) => {
      const form = canonicalNumber(number)
      expect(canonicalNumber(form)).toBe(form)
    }),
  )
})

test.each([
  { name: 'five million digits', number: '9'.repeat(5_000_000) },
  { name: 'five million noughts', number: `1${'0'.repeat(5_000_000)}` },
  { name: 'five million noughts behind the point', number: `0.${'0'.repeat(5_000_000)}1` },
  { name: 'an exponent of five million digits', number: `1e${'9'.repeat(5_000_000)}` },
])('$name are read in linear time', ({ number }) => {
  expect(canonicalNumber(number).length).toBeLessThan(number.length + 12)
})
