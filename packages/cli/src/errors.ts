/**
 * Something that the person who started the command can put right: a setting, an argument, a file, a database that
 * does not answer. The message is one line that says what to do; no trace is shown. Exit code 1.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError'
}

/** Whoever read what is written has gone: the command ends without a word. Exit code 141. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe'
}

/**
 * What the system's refusal to open, read or write something means, in one line.
 * @param fault what was thrown
 * @param name how messages call the thing
 * @returns a `UserError`; any other fault as it is
 */
export function explain(fault: unknown, name: string): unknown {
  const meaning = MEANINGS[codeOf(fault) ?? '']
  return meaning === undefined ? fault : new UserError(`${name}: ${meaning}`)
}

/** The code by which the system or a library names a fault. */
export function codeOf(fault: unknown): string | undefined {
  return fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined
}

const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EISDIR: 'is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
  ENOSPC: 'no space left on device',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'file too large',
  EIO: 'input or output error',
  ENXIO: 'no such device, or nobody at its other end',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  ETXTBSY: 'is a program that is running',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'file name too long',
  ERR_INVALID_ARG_VALUE: 'is not a file name',
  Z_DATA_ERROR: 'is damaged: its gzip data cannot be unpacked',
  Z_BUF_ERROR: 'ends before its gzip data does',
}
