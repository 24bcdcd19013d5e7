import { constants, lstatSync, readdirSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * What an output name refers to:
 * - `descriptor`: a descriptor that this process has open, such as `/dev/stdout`
 * - `device`: anything that is not a regular file: a terminal, a named pipe, `/dev/null`
 * - `file`: a regular file, or one that does not exist yet (`stats` undefined)
 */
export type Place =
  | { kind: 'descriptor'; fd: number }
  | { kind: 'device'; path: string; stats: Stats }
  | { kind: 'file'; path: string; stats: Stats | undefined }

/** The open descriptors as symbolic links, each with the permissions with which it was opened. */
const DESCRIPTORS = '/proc/self/fd'
const DESCRIPTOR = /^\/proc\/(\d+)\/fd\/(\d+)$/
/** Linux's own limit. */
const MAX_LINKS = 40

/**
 * Follows symbolic links, including a dangling last one, whose target is then the file to create.
 * @throws Error with the system's code when the name cannot be resolved or is a folder
 */
export function placeOf(file: string): Place {
  // Only a folder may have a name that ends in a slash, and nothing an empty one.
  if (file === '' || file.endsWith('/')) statSync(file)
  let path = file
  for (let links = 0; links <= MAX_LINKS; links++) {
    const folder = realpathSync(dirname(path))
    path = join(folder, basename(path))
    const [, process_, fd] = DESCRIPTOR.exec(path) ?? []
    if (Number(process_) === process.pid) return descriptor(Number(fd))
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats?.isSymbolicLink()) return existing(path, stats)
    path = resolve(folder, readlinkSync(path))
  }
  throw Object.assign(new Error(), { code: 'ELOOP' })
}

/** @throws Error with the system's code when the descriptor is not one that this process was given */
function descriptor(fd: number): Place {
  const file = readlinkSync(join(DESCRIPTORS, String(fd)))
  // Node.js has descriptors of its own: event queues, and pipes of which it has both ends.
  const isOwn = file.startsWith('anon_inode:') || (file.startsWith('pipe:') && isReadHere(file))
  if (isOwn) throw Object.assign(new Error(), { code: 'EBADF' })
  return { kind: 'descriptor', fd }
}

function isReadHere(pipe: string): boolean {
  return readdirSync(DESCRIPTORS).some((fd) => {
    const link = join(DESCRIPTORS, fd)
    const stats = lstatSync(link, { throwIfNoEntry: false })
    return stats !== undefined && (stats.mode & constants.S_IRUSR) !== 0 && readlinkSync(link) === pipe
  })
}

function existing(path: string, stats: Stats | undefined): Place {
  if (stats?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
  return stats === undefined || stats.isFile() ? { kind: 'file', path, stats } : { kind: 'device', path, stats }
}
