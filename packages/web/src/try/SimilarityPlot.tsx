import { grouped } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { Button } from '../design/index.ts'
import { hundredths } from './similarity.ts'

interface SimilarityPlotProps {
  /** The number of pairs at each similarity, in steps of a hundredth. */
  readonly steps: readonly number[]
  readonly threshold: number
  readonly onShowClosest: (() => void) | undefined
}

/** Pairs at most this many hundredths above the threshold are close to it. */
const CLOSE = 2
/** As wide as in the style sheet, so that text keeps its size. */
const WIDTH_PX = 224
const HEIGHT_PX = 48

/** A histogram of the pairs of a fuzzy run by similarity, with the threshold marked. */
export function SimilarityPlot({ steps, threshold, onShowClosest }: SimilarityPlotProps): ReactElement {
  const from = Math.max(0, Math.floor(threshold * 20 - 1) * 5)
  const shown = steps.slice(from)
  const tallest = Math.max(1, ...shown)
  const stepPx = WIDTH_PX / shown.length
  const at = (hundredth: number): number => (hundredth - from) * stepPx
  const lastClose = hundredths(threshold) + CLOSE
  const close = steps.slice(0, lastClose + 1).reduce((sum, pairs) => sum + pairs, 0)
  const all = steps.reduce((sum, pairs) => sum + pairs, 0)
  const summary = `${grouped(close)} of ${grouped(all)} ${all === 1 ? 'pair is' : 'pairs are'} close to the threshold (${threshold} to ${(lastClose / 100).toFixed(2)}).`
  return (
    <figure className="plot">
      <svg
        viewBox={`-1 0 ${WIDTH_PX + 2} ${HEIGHT_PX + 16}`}
        role="img"
        aria-label={`Pairs by similarity, ${from / 100} to 1. ${summary}`}
      >
        {shown.map((pairs, step) => {
          // Heights grow with the square root, since there are often so many equal keys that other bars would be too
          // low to see.
          const height = pairs === 0 ? 0 : Math.max(2, Math.sqrt(pairs / tallest) * HEIGHT_PX)
          const isClose = from + step <= lastClose
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: bars are identified by position
              key={step}
              className={isClose ? 'plot-close' : 'plot-bar'}
              x={step * stepPx + 0.5}
              y={HEIGHT_PX - height}
              width={stepPx - 1}
              height={height}
            >
              <title>{`${((from + step) / 100).toFixed(2)}: ${grouped(pairs)}`}</title>
            </rect>
          )
        })}
        <line className="plot-axis" x1="0" x2={WIDTH_PX} y1={HEIGHT_PX} y2={HEIGHT_PX} />
        <line className="plot-threshold" x1={at(threshold * 100)} x2={at(threshold * 100)} y1="0" y2={HEIGHT_PX + 4} />
        <text x={at(threshold * 100)} y={HEIGHT_PX + 13} text-anchor="middle">
          {threshold}
        </text>
        <text x={WIDTH_PX} y={HEIGHT_PX + 13} text-anchor="end">
          1
        </text>
      </svg>
      <figcaption>
        {summary}{' '}
        {close > 0 && onShowClosest && (
          <Button small variant="quiet" onClick={onShowClosest}>
            Show these first
          </Button>
        )}
      </figcaption>
    </figure>
  )
}
