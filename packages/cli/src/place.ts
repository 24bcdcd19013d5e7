import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * What a name that is to be written to stands for:
 * - `descriptor`: one that this process has open, such as `/dev/stdout`
 * - `device`: whatever is not a file: a terminal, a named pipe, `/dev/null`
 * - `file`: a file, or one that does not exist yet (`stats` undefined)
 */
export type Place =
  | { kind: 'descriptor'; fd: number }
  | { kind: 'device'; path: string; stats: Stats }
  | { kind: 'file'; path: string; stats: Stats | undefined }

const DESCRIPTOR = /^\/proc\/(\d+)\/fd\/(\d+)$/
/** As many as Linux follows. */
const MOST_LINKS = 40

/**
 * Follows symbolic links, a last one that points to nothing as well: what it names is what comes to be.
 * @throws Error of the system, with its code
 */
export function placeOf(file: string): Place {
  let path = file
  for (let links = 0; links <= MOST_LINKS; links++) {
    const folder = realpathSync(dirname(path))
    path = join(folder, basename(path))
    const [, process_, fd] = DESCRIPTOR.exec(path) ?? []
    if (Number(process_) === process.pid) return { kind: 'descriptor', fd: Number(fd) }
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats?.isSymbolicLink()) return existing(path, stats)
    path = resolve(folder, readlinkSync(path))
  }
  throw Object.assign(new Error(), { code: 'ELOOP' })
}

function existing(path: string, stats: Stats | undefined): Place {
  if (stats?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
  return stats === undefined || stats.isFile() ? { kind: 'file', path, stats } : { kind: 'device', path, stats }
}
