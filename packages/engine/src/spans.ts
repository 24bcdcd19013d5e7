/** A list of positions in a text that grows: four bytes each. */
class Positions {
  #values = new Int32Array(64)
  #count = 0

  push(position: number): void {
    if (this.#count === this.#values.length) {
      const grown = new Int32Array(this.#count * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[this.#count] = position
    this.#count += 1
  }

  at(index: number): number {
    const position = this.#values[index]
    if (position === undefined) throw new RangeError(`no position ${index}`)
    return position
  }
}

/** Where the members of a list stand in their text: from `start(i)` up to, not including, `end(i)`. */
export class Spans {
  readonly #starts = new Positions()
  readonly #ends = new Positions()
  count = 0

  push(start: number, end: number): void {
    this.#starts.push(start)
    this.#ends.push(end)
    this.count += 1
  }

  start(index: number): number {
    return this.#starts.at(index)
  }

  end(index: number): number {
    return this.#ends.at(index)
  }
}
