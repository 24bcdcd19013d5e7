/* Curves with a logarithmic x axis, as an SVG that is readable in light and dark schemes. */

const [WIDTH, HEIGHT] = [360, 240]
const EDGE = { left: 56, right: 20, top: 34, bottom: 40 }
const COLOURS = ['#2563eb', '#c2410c', '#15803d']
const STEPS = 4

const text = (x, y, content, anchor = 'middle') =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${content}</text>`

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundedUp(value) {
  const power = 10 ** Math.floor(Math.log10(value))
  return power * [1, 2, 5, 10].find((times) => times * power >= value)
}

/** @param curves name → points `[x, y]` */
function panel({ title, curves }) {
  const points = Object.values(curves).flat()
  const xs = [...new Set(points.map(([x]) => x))].sort((a, b) => a - b)
  const most = roundedUp(Math.max(...points.map(([, y]) => y)))
  const [inner, tall] = [WIDTH - EDGE.left - EDGE.right, HEIGHT - EDGE.top - EDGE.bottom]
  const across = (x) => EDGE.left + (inner * Math.log(x / xs[0])) / Math.log(xs.at(-1) / xs[0])
  const up = (y) => EDGE.top + tall * (1 - y / most)
  const grid = Array.from({ length: STEPS + 1 }, (_, i) => (most * i) / STEPS).map(
    (y) =>
      `<path d="M${EDGE.left} ${up(y).toFixed(1)}h${inner}" stroke="#8884"/>${text(EDGE.left - 6, up(y) + 4, y.toLocaleString('en-US'), 'end')}`,
  )
  const lines = Object.entries(curves).map(([name, curve], i) => {
    const path = curve
      .map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${across(x).toFixed(1)} ${up(y).toFixed(1)}`)
      .join('')
    const label = `<text x="${EDGE.left + 8}" y="${EDGE.top + 14 + 16 * i}" style="fill:${COLOURS[i]}">${name}</text>`
    return `<path d="${path}" fill="none" stroke="${COLOURS[i]}" stroke-width="2"/>${label}`
  })
  const below = xs.map((x) => text(across(x), HEIGHT - EDGE.bottom + 18, x.toLocaleString('en-US')))
  return [text(WIDTH / 2, 18, title), ...grid, ...lines, ...below, text(WIDTH / 2, HEIGHT - 6, 'connections')].join(
    '\n',
  )
}

/** Panels side by side. */
export function plot(panels) {
  const drawn = panels.map((each, i) => `<g transform="translate(${i * WIDTH})">\n${panel(each)}\n</g>`)
  const width = panels.length * WIDTH
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}" font-family="sans-serif" font-size="12">
<title>${panels.map(({ title }) => title).join('; ')}</title>
<style>text{fill:#57606a}@media(prefers-color-scheme:dark){text{fill:#9da7b1}}</style>
${drawn.join('\n')}
</svg>
`
}
