/** Classes of characters that the kernel tells apart. */
const MOST_CLASSES = 64

/** Keys in the form of the kernel: all texts in one row, key i from `starts[i]` to `starts[i + 1]`. */
export interface Texts {
  readonly starts: Uint32Array<ArrayBuffer>
  readonly points: Uint32Array<ArrayBuffer>
  /** The class of each code point: its own for the most frequent ones, shared where there are more than 64. */
  readonly classes: Uint8Array<ArrayBuffer>
  readonly classCount: number
  readonly classesAreShared: boolean
}

export function layOut(keys: readonly string[]): Texts {
  const { starts, points } = codePoints(keys)
  const { classOf, distinct } = classify(points)
  const classes = new Uint8Array(points.length)
  for (let i = 0; i < points.length; i++) classes[i] = classOf[points[i] ?? 0] ?? 0
  return {
    starts,
    points,
    classes,
    classCount: Math.min(distinct, MOST_CLASSES),
    classesAreShared: distinct > MOST_CLASSES,
  }
}

function codePoints(keys: readonly string[]): Pick<Texts, 'starts' | 'points'> {
  const starts = new Uint32Array(keys.length + 1)
  const points = new Uint32Array(keys.reduce((units, key) => units + key.length, 0))
  let end = 0
  keys.forEach((key, index) => {
    for (let unit = 0; unit < key.length; unit++) {
      const code = key.charCodeAt(unit)
      const point = (code & 0xf800) === 0xd800 ? (key.codePointAt(unit) ?? code) : code
      if (point > 0xffff) unit++
      points[end++] = point
    }
    starts[index + 1] = end
  })
  return { starts, points: points.subarray(0, end) }
}

/** The more frequent a code point, the sooner it gets a class of its own; later ones share, spread evenly. */
function classify(points: Uint32Array): { classOf: Uint8Array; distinct: number } {
  let end = 0
  for (let i = 0; i < points.length; i++) end = Math.max(end, (points[i] ?? 0) + 1)
  const counts = new Uint32Array(end)
  for (let i = 0; i < points.length; i++) {
    const point = points[i] ?? 0
    counts[point] = (counts[point] ?? 0) + 1
  }
  const used: number[] = []
  counts.forEach((count, point) => {
    if (count > 0) used.push(point)
  })
  used.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0))
  const classOf = new Uint8Array(end)
  used.forEach((point, order) => {
    classOf[point] = order % MOST_CLASSES
  })
  return { classOf, distinct: used.length }
}
