import { expect, test } from 'vitest'
import { completeOptions, MODES } from '../../protocol/src/index.ts'
import { MODES as ENGINE_MODES } from '../src/modes/index.ts'

test('the modes are those of the API', () => expect(Object.keys(ENGINE_MODES)).toEqual(MODES))

test.each(MODES)('%s: the defaults are those of the API', (mode) =>
  expect(ENGINE_MODES[mode].ask({})).toEqual({ mode, options: completeOptions(mode, {}) }),
)
