import { statSync } from 'node:fs'

/** Detects that an opened file was deleted or replaced, since what is written to it would then be lost. */
export class FileIdentity {
  readonly #path: string | null
  readonly #opened: string | undefined

  /** @param path path of a database that has just been opened; null for one in memory, which never changes */
  constructor(path: string | null) {
    this.#path = path
    this.#opened = path === null ? undefined : identityOf(path)
  }

  /** @throws Error when the file was deleted or replaced */
  check(): void {
    if (this.#path === null) return
    const now = identityOf(this.#path)
    if (now === undefined) throw new Error(`the database file ${this.#path} was deleted`)
    if (now !== this.#opened) throw new Error(`the database file ${this.#path} was replaced by another one`)
  }
}

function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.dev} ${stat.ino}`
}
