import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { retryingConflicts } from '../../src/store/transaction.ts'

// No pauses between attempts.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

const failure = (code: string) => Object.assign(new Error(code), { code })

/** Work that fails with each of these codes in turn, and then succeeds. */
function failing(...codes: string[]) {
  let attempts = 0
  const work = async (): Promise<string> => {
    const code = codes[attempts]
    attempts += 1
    if (code !== undefined) throw failure(code)
    return 'done'
  }
  return { work, attempts: () => attempts }
}

describe('a transaction that conflicts with others', () => {
  test.each([
    { name: 'a serialisation failure', code: '40001' },
    { name: 'a deadlock', code: '40P01' },
  ])('$name: is repeated, at most twelve times', async ({ code }) => {
    const short = failing(...Array(11).fill(code))
    expect(await retryingConflicts(short.work)).toBe('done')
    expect(short.attempts()).toBe(12)
    const long = failing(...Array(20).fill(code))
    await expect(retryingConflicts(long.work)).rejects.toMatchObject({ code })
    expect(long.attempts()).toBe(12)
  })

  test('is repeated only while its caller agrees', async () => {
    const { work, attempts } = failing('40001', '40001', '40001')
    const answers = [true, false]
    await expect(retryingConflicts(work, () => answers.shift() ?? false)).rejects.toMatchObject({ code: '40001' })
    expect(attempts()).toBe(2)
  })

  test.each(['40002', '23505', 'ECONNRESET', ''])('any other error (%j) is not a conflict', async (code) => {
    const { work, attempts } = failing(code)
    await expect(retryingConflicts(work)).rejects.toMatchObject({ code })
    expect(attempts()).toBe(1)
  })
})
