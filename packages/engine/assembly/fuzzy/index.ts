/** The fuzzy kernel's exports, to be called in this order. */
export { allocate } from './memory'
export { takeRequest } from './keys'
export { prepare, findLeaders } from './leaders'
export { pairsCompared } from './pair'
export {
  allowedDistance, lengthsMeet, lettersBound, bigramsBound, segmentsFind, laneKind, bandWithin, pairWithin,
  blocksWithin, pointsWithin,
} from './bounds'
