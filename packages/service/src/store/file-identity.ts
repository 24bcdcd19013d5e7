import { statSync } from 'node:fs'

/** Whether the file that was opened still stands where it was: writing to one that was deleted would be for nothing. */
export class FileIdentity {
  readonly #path: string | null
  readonly #opened: string | undefined

  /** @param path of a database that has just been opened; null: one in memory, which is always there */
  constructor(path: string | null) {
    this.#path = path
    this.#opened = path === null ? undefined : identityOf(path)
  }

  /** @throws Error when it does not */
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
