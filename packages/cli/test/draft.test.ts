import { readdirSync, renameSync, statSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Sandbox } from '../../../tests/support/local.ts'
import { Draft } from '../src/draft.ts'

vi.mock('node:fs', { spy: true })

let sandbox: Sandbox
beforeEach(() => {
  sandbox = new Sandbox()
})
afterEach(() => {
  vi.mocked(renameSync).mockReset()
  sandbox.clear()
})

/** Lets the system refuse to rename a finished draft. */
async function replaceRefused(name: string, code: string): Promise<void> {
  const path = sandbox.path(name)
  const draft = new Draft(name, { path, stats: statSync(path, { throwIfNoEntry: false }) }, false)
  draft.output.write(Buffer.from('new\n'))
  await draft.finish()
  vi.mocked(renameSync).mockImplementationOnce(() => {
    throw Object.assign(new Error(code), { code })
  })
  try {
    draft.commit()
  } finally {
    draft.discard()
  }
}

describe('a rename that is refused', () => {
  test.each(['EACCES', 'EPERM', 'EROFS', 'EXDEV', 'EBUSY'])('%s: the bytes are copied into the file', async (code) => {
    sandbox.write('old', 'the old content\n')
    const { ino } = statSync(sandbox.path('old'))
    await replaceRefused('old', code)
    expect(sandbox.read('old').toString()).toBe('new\n')
    expect(statSync(sandbox.path('old')).ino).toBe(ino)
    expect(readdirSync(sandbox.folder)).toEqual(['old'])
  })

  test.each([
    { code: 'EIO', file: 'old', says: 'old: input or output error' },
    { code: 'ENOSPC', file: 'old', says: 'old: no space left on device' },
    { code: 'ENOMEM', file: 'old', says: 'old: not enough memory' },
    // There is no file yet into which the bytes could be copied.
    { code: 'EACCES', file: 'none', says: 'none: permission denied' },
  ])('$code of $file: nothing changes', async ({ code, file, says }) => {
    sandbox.write('old', 'the old content\n')
    await expect(replaceRefused(file, code)).rejects.toThrow(says)
    expect(sandbox.read('old').toString()).toBe('the old content\n')
    expect(readdirSync(sandbox.folder)).toEqual(['old'])
  })
})
