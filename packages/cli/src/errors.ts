import { getSystemErrorMap } from 'node:util'

/**
 * A problem that the user can fix: a setting, an argument, a file, or a database that does not answer. Reported as one
 * line that says what to do, without a stack trace. Exit code 1.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError'
}

/** The reader of the output has closed it (EPIPE): the command ends silently. Exit code 141. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe'
}

/**
 * Explains in one line why the system refused to open, read or write something.
 * @param error the value that was thrown
 * @param name what to call it in messages
 * @returns a `UserError`, or `error` itself when it is not such a refusal
 */
export function explain(error: unknown, name: string): unknown {
  const code = codeOf(error) ?? ''
  const meaning = MEANINGS[code] ?? systemMeaning(code)
  return meaning === undefined ? error : new UserError(`${name || "''"}: ${meaning}`)
}

/** The system's own words for one of its errors. */
function systemMeaning(code: string): string | undefined {
  return [...getSystemErrorMap().values()].find(([name]) => name === code)?.[1]
}

/** The code that the system or a library gave an error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

const MEANINGS: Readonly<Record<string, string>> = {
  EEXIST: 'already exists',
  ENOENT: 'no such file or folder',
  EISDIR: 'is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
  EBADF: 'is not open for writing',
  ENOSPC: 'no space left on device',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'file too large',
  EIO: 'input or output error',
  ENXIO: 'no such device, or nothing at its other end',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  ETXTBSY: 'is a running program',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'file name too long',
  ERR_INVALID_ARG_VALUE: 'is not a file name',
  Z_DATA_ERROR: 'is damaged: its gzip data cannot be unpacked',
  Z_BUF_ERROR: 'ends before its gzip data does',
}
