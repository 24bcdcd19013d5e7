/**
 * Something that the one who started the command can mend: a setting, an argument, a file, a database that does
 * not answer. The message is one line that says what to do; no trace is shown. Exit code 1.
 */
export class Complaint extends Error {
  override readonly name: string = 'Complaint'
}

/** What the system's refusal to open, read or write `name` means, in one line. Other faults stay what they are. */
export function explain(fault: unknown, name: string): unknown {
  const meaning = MEANINGS[codeOf(fault) ?? '']
  return meaning === undefined ? fault : new Complaint(`${name}: ${meaning}`)
}

/** The code by which the system or a library names a fault. */
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
