import { describe, expect, test } from 'vitest'
import { flagOf, flagsOf } from '../src/flags.ts'
import { MODE_SPECS, MODES, modeSpec } from '../src/modes.ts'
import { completeOptions, counted, isOptionsOf, isValueOf, optionsOf, spokenOptions } from '../src/options.ts'

const ROWS = completeOptions('rows', {})

describe('2.2 the table of modes and options', () => {
  test('lists the modes in the order of the specification', () => expect(MODES).toEqual(['lines', 'rows', 'json']))

  test('has the defaults of the API', () => {
    expect(completeOptions('lines', {})).toEqual({ trim: false, ignoreCase: false, dropEmpty: false })
    expect(ROWS).toEqual({ keyColumns: [], hasHeader: true, caseSensitive: true, fuzzy: false, threshold: 0.9 })
    expect(completeOptions('json', {})).toEqual({ key: '' })
  })

  test.each(MODES)('%s: options that other options depend on exist and are booleans', (mode) => {
    const { options } = modeSpec(mode)
    const others = optionsOf(mode).flatMap(([, { onlyWith, notWith }]) => [onlyWith, notWith])
    for (const other of others) expect(other === undefined || options[other]?.type === 'boolean', other).toBe(true)
  })
})

describe('values', () => {
  const { keyColumns, threshold, fuzzy } = MODE_SPECS.rows.options
  test.each([
    { option: threshold, good: [0.5, 0.75, 1], bad: [0.499, 1.001, Number.NaN, '0.9', null, undefined] },
    { option: keyColumns, good: [[], [0, 7]], bad: [[-1], [0.5], ['0'], [null], 0, null] },
    { option: fuzzy, good: [true, false], bad: [0, 'true', null] },
    { option: MODE_SPECS.json.options.key, good: ['', 'a.b'], bad: [0, ['a'], null] },
  ])('$option.title', ({ option, good, bad }) => {
    expect(good.filter((value) => !isValueOf(option, value))).toEqual([])
    expect(bad.filter((value) => isValueOf(option, value))).toEqual([])
  })

  test.each([null, 7, {}, { ...ROWS, fuzzy: 1 }, { fuzzy: true }])(
    '%j is not a complete set of options of rows',
    (value) => {
      expect(isOptionsOf('rows', value)).toBe(false)
    },
  )

  test('invalid values of options throw, since requests have been checked before', () => {
    expect(() => completeOptions('rows', { threshold: 2 })).toThrow(TypeError)
  })
})

describe('options that differ from the defaults, and their command-line flags', () => {
  test.each([
    { name: 'the defaults', options: ROWS, spoken: {}, flags: [] },
    {
      name: 'some differ',
      options: { ...ROWS, keyColumns: [0, 2], hasHeader: false, caseSensitive: false },
      spoken: { keyColumns: [0, 2], hasHeader: false, caseSensitive: false },
      flags: ['--key-columns', '0,2', '--no-header', '--ignore-case'],
    },
    {
      name: 'caseSensitive has no effect with fuzzy',
      options: { ...ROWS, caseSensitive: false, fuzzy: true, threshold: 0.8 },
      spoken: { fuzzy: true, threshold: 0.8 },
      flags: ['--fuzzy', '--threshold', '0.8'],
    },
    { name: 'threshold has no effect without fuzzy', options: { ...ROWS, threshold: 0.8 }, spoken: {}, flags: [] },
  ])('$name', ({ options, spoken, flags }) => {
    expect(spokenOptions('rows', options)).toEqual(spoken)
    expect(flagsOf('rows', options)).toEqual(flags)
  })

  test('a flag is named after its option', () => {
    const { ignoreCase } = MODE_SPECS.lines.options
    expect(flagOf('ignoreCase', ignoreCase)).toMatchObject({ long: '--ignore-case', value: undefined })
    const lossless = { type: 'boolean', default: true, title: 'Lossless', description: 'Loses nothing.' } as const
    expect(flagOf('isLossless', lossless)).toEqual({
      long: '--no-is-lossless',
      value: undefined,
      help: 'Loses nothing.',
    })
  })

  test('counts with their noun', () => {
    expect([counted(1, 'lines'), counted(2_000, 'rows')]).toEqual(['1 line', '2,000 rows'])
  })
})
