/** Lets one at a time pass, in the order of arrival. */
export class Lock {
  #last: Promise<void> = Promise.resolve()

  /** Resolves with the way to let the next one pass, when it is this one's turn. */
  acquire(): Promise<() => void> {
    const before = this.#last
    let release = (): void => {}
    this.#last = new Promise((resolve) => {
      release = resolve
    })
    return before.then(() => release)
  }
}
