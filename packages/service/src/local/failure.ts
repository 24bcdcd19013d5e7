/** The work can't be done, and the reason is the user's to mend: one line on standard error, exit code 1. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** What the system's refusal to open, read or write `name` means, in one line. Other faults stay what they are. */
export function explain(fault: unknown, name: string): unknown {
  const code = codeOf(fault)
  const meaning = code === undefined ? undefined : MEANINGS[code]
  return meaning === undefined ? fault : new Failure(`${name}: ${meaning}`)
}

export function codeOf(fault: unknown): string | undefined {
  return fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined
}

const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EISDIR: 'is a folder',
  ENOTDIR: 'a part of the path is no folder',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
  ENOSPC: 'no space left on device',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'file too large',
  EIO: 'input or output error',
  EMFILE: 'too many open files',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'file name too long',
  Z_DATA_ERROR: 'is not in gzip form, or damaged',
  Z_BUF_ERROR: 'ends before its gzip data does',
}
