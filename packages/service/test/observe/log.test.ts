import { expect, test } from 'vitest'
import { describeError } from '../../src/observe/log.ts'

test('name, message, code and causes of an error are logged, but not its other properties', () => {
  const detail = 'Key (email)=(someone@example.com) already exists.'
  const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail, parameters: [detail] })
  const error = new TypeError('an account could not be made', { cause })
  expect(describeError(error)).toEqual({
    type: 'TypeError',
    message: error.message,
    stack: error.stack,
    cause: { type: 'Error', message: cause.message, code: '23505', stack: cause.stack },
  })
})
